litscope check -o $TMP/g -dot -through invalid litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test3.litmus >/dev/null
ls $TMP/g
cat $TMP/g/*
