litscope check -model sc,opencl-rsp litmus/rsp/RSP_Test1.litmus litmus/rsp/RSP_Test2.litmus >$TMP/a
litscope check -model opencl-rsp litmus/rsp/RSP_Test2.litmus >$TMP/b
litscope compare $TMP/a $TMP/b
