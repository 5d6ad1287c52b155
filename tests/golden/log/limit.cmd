litscope check -max-events 5 litmus/rsp/RSP_Test8.litmus litmus/rsp/RSP_Test2.litmus
