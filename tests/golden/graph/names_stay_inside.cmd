sed "s/RSP_Test1 */..\/..\/evil/" litmus/rsp/RSP_Test1.litmus >$TMP/t.litmus
litscope check -o $TMP/g $TMP/t.litmus | head -n 1
ls $TMP/g; ls $TMP
