printf "RSP_Test2 \"exists (1:r0=1)\" # quoted\nWSQ1 exists (1:ret=1)\n" >$TMP/conds
litscope check -conds $TMP/conds litmus/rsp
