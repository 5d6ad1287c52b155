# An agent with two L2s: LLVM 19 and 22 wait too little behind buffer_wbl2.
litscope explore -no-por -knob l2=2 tests/compilers/assembly/ISA2_barrier.gfx942-*.litmus | grep -E '^(Observation|States-explored)'
