litscope check -speedcheck true litmus/rsp/RSP_Test1.litmus litmus/rsp/RSP_Test2.litmus
