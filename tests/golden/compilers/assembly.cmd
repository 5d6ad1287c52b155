# What LLVM emits for the tests of tests/compilers, kept as assembly: no compiler is needed.
litscope explore -no-por tests/compilers/assembly/*.gfx*.litmus | grep -E '^(Observation|States-explored)'
