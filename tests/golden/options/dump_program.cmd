litscope -dump program litmus/rsp/RSP_Test8.litmus
