litscope check -junit $TMP/out.xml -max-events 12 litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test8.litmus litmus/nothing.litmus >$TMP/log
sed "s/ time=\"[0-9.]*\"/ time=\"0\"/; s/ timestamp=\"[-0-9T:]*\" hostname=\"[^\"]*\"/ timestamp=\"...\" hostname=\"...\"/" $TMP/out.xml
# A failure holds the reason and the run.
litscope verify -mapping rsp-original -junit $TMP/out.xml litmus/rsp/RSP_Test2.litmus >$TMP/log
sed -n '/<failure/,/<\/failure/p' $TMP/out.xml
