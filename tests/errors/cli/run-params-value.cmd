litscope run -params stride=0,lanes=x,spins litmus/c11/SB_sc.litmus
