litscope litmus/rsp/RSP_Test4.litmus
