litscope check -r 5 litmus/c11/SB_sc.litmus
