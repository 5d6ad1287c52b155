litscope check litmus/rsp/RSP_Test1.litmus
