# Arrays, flat accesses and private memory in assembly.
litscope explore tests/compilers/memory.litmus tests/compilers/flat_counters.litmus tests/compilers/tgsplit_local.litmus
