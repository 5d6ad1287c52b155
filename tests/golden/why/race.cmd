litscope check -why litmus/rsp/RSP_Test7.litmus
