# Recorded tests that a run leaves out are named, unless a selection leaves them out.
tests=$(echo litmus/rsp/RSP_Test[1-9].litmus)
litscope check $tests >$TMP/all.log
litscope check -expect $TMP/all.log litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test3.litmus >$TMP/log
echo $?
litscope check -expect $TMP/all.log -select Test2 $tests >$TMP/log
litscope check -expect $TMP/all.log -q litmus/rsp/RSP_Test2.litmus >$TMP/log
litscope check -expect $TMP/all.log $tests >$TMP/log
litscope check litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test3.litmus >$TMP/two.log
litscope check -expect $TMP/two.log litmus/rsp/RSP_Test2.litmus >$TMP/log
