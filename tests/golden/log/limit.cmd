litscope check -max-events 5 litmus/rsp/RSP_Test8.litmus litmus/rsp/RSP_Test2.litmus >$TMP/log
status=$?
sed 's/after [0-9]* executions/after N executions/' $TMP/log
exit $status
