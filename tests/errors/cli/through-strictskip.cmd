litscope check -strictskip true -through all litmus/c11/CoRR.litmus
