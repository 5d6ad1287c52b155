ulimit -s 256
litscope check litmus/rsp/RSP_Test2.litmus
