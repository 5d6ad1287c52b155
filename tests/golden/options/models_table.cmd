litscope check -model sc,opencl,opencl-rsp litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test5.litmus litmus/rsp/RSP_Test7.litmus
