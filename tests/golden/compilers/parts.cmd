# Pieces of registers, and of words of memory.
litscope explore -knob fill=0 tests/compilers/parts.litmus
