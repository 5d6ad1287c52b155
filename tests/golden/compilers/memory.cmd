# Arrays, flat accesses and private memory in assembly; several words of local memory at once.
litscope explore tests/compilers/memory.litmus tests/compilers/flat_counters.litmus tests/compilers/tgsplit_local.litmus
litscope explore tests/compilers/local_words.litmus
