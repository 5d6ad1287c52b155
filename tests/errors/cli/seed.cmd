litscope run -seed -1 litmus/c11/SB_sc.litmus
