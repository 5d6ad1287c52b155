litscope check -bell nosuch.bell litmus/c11/SB_sc.litmus
