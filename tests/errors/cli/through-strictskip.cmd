litscope check -skipcheck sc -strictskip true -through all litmus/c11/CoRR.litmus
