litscope explore tests/compilers/hazard.litmus tests/compilers/columns.litmus
