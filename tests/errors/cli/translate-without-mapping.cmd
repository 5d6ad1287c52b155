litscope translate litmus/c11/SB_sc.litmus
