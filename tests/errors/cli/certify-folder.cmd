litscope check -certify /nowhere/cert litmus/c11/SB_sc.litmus
