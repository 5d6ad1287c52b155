printf "RSP_Test2 exists (1:r0=)\n" >$TMP/conds; litscope check -conds $TMP/conds litmus/rsp/RSP_Test2.litmus
