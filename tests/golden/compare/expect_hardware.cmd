litscope verify -mapping rsp-original,rsp-corrected litmus/rsp/RSP_Test2.litmus litmus/rsp/WSQ1.litmus >$TMP/log
litscope verify -mapping rsp-original,rsp-corrected -expect $TMP/log litmus/rsp/RSP_Test2.litmus >$TMP/out
sed 's/rsp-original Unsound/rsp-original Sound/' $TMP/log >$TMP/other
litscope verify -mapping rsp-original -expect $TMP/other litmus/rsp/RSP_Test2.litmus >$TMP/out
litscope compare $TMP/log $TMP/other
litscope explore -mapping rsp-original,rsp-corrected litmus/rsp/RSP_Test2.litmus >$TMP/log
litscope explore -mapping rsp-original -expect $TMP/log litmus/rsp/RSP_Test2.litmus >$TMP/out
echo $?
sed 's/Mapping rsp-corrected/Mapping rsp-revised/' $TMP/log >$TMP/other
litscope explore -mapping rsp-original,rsp-revised -expect $TMP/other litmus/rsp/RSP_Test2.litmus >$TMP/out
echo $?
sed 's/Mapping rsp-original/Mapping rsp-corrected/' $TMP/log | head -n 8 >$TMP/other
litscope explore -mapping rsp-corrected -expect $TMP/other litmus/rsp/RSP_Test2.litmus >$TMP/out
