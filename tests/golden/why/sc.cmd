litscope check -why -model sc litmus/rsp/RSP_Test1.litmus
