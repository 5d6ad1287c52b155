litscope check -junit $TMP/out.xml -max-events 12 litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test8.litmus litmus/nothing.litmus >$TMP/log
sed "s/ time=\"[0-9.]*\"/ time=\"0\"/" $TMP/out.xml
