litscope explore tests/compilers/private.litmus
