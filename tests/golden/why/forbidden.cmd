litscope check -why litmus/rsp/RSP_Test2.litmus
