litscope check -model sc,opencl litmus/rsp/RSP_Test2.litmus >$TMP/a
litscope check -model opencl-rsp,sc litmus/rsp/RSP_Test2.litmus >$TMP/b
litscope compare $TMP/a $TMP/b
