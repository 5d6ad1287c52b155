truncate -s 65M $TMP/large.litmus; litscope check $TMP/large.litmus
