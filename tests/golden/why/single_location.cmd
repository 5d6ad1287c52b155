litscope check -why litmus/rsp/RSP_Test10.litmus
