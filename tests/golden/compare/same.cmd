litscope check litmus/rsp >$TMP/a
litscope check litmus/rsp >$TMP/b
litscope compare $TMP/a $TMP/b
