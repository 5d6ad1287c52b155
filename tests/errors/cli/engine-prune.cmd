litscope check -engine solve -no-prune litmus/c11/SB_sc.litmus
