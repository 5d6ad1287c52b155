litscope check -why litmus/rsp/RSP_Test9.litmus
