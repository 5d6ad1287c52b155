litscope -q check litmus/c11/SB_sc.litmus
