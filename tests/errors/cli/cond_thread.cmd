printf "RSP_Test2 exists (9:r0=1)\n" >$TMP/conds; litscope check -conds $TMP/conds litmus/rsp/RSP_Test2.litmus
