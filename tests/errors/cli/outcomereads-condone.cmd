litscope check -outcomereads true -restrict condone litmus/c11/SB_sc.litmus
