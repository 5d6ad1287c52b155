litscope check -expect litmus/rsp/expected.tsv litmus/rsp >$TMP/log
echo $?
litscope check -model sc litmus/rsp/RSP_Test7.litmus >$TMP/sc.log
litscope check -expect $TMP/sc.log -junit $TMP/out.xml litmus/rsp/RSP_Test7.litmus litmus/rsp/RSP_Test2.litmus >$TMP/log
echo $?
grep -c "<failure" $TMP/out.xml
