printf "OpenCL Bad\n{ }\nP0 ( {\n" >$TMP/bad.litmus
litscope check litmus/rsp/RSP_Test2.litmus $TMP/bad.litmus $TMP/missing.litmus litmus/rsp/RSP_Test5.litmus
