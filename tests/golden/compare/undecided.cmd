litscope check -max-events 5 litmus/c11/SB_sc.litmus >$TMP/a
litscope check litmus/c11/SB_sc.litmus >$TMP/b
litscope compare $TMP/a $TMP/b
litscope explore -max-states 5 -mapping rsp-corrected litmus/rsp/RSP_Test2.litmus >$TMP/a
litscope explore -mapping rsp-corrected litmus/rsp/RSP_Test2.litmus >$TMP/b
litscope compare $TMP/a $TMP/b
echo A verdict of verify after a log:
litscope check litmus/rsp/RSP_Test2.litmus >$TMP/a
(cat $TMP/a; litscope verify -machine lazy litmus/adsm/A16.litmus) >$TMP/b
litscope compare $TMP/a $TMP/b
