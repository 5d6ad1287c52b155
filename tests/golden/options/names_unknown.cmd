printf 'RSP_Test2\nRSP_Tset3\n' >$TMP/names
litscope check -names $TMP/names litmus/rsp | grep "^Observation"
litscope check -q -names $TMP/names litmus/rsp | grep "^Observation"
printf 'one\ntwo\nthree\nfour\nfive\nRSP_Test2 Forbidden\n' | sed 's/$/ Allowed/; s/Forbidden Allowed/Forbidden/' >$TMP/kinds
litscope check -kinds $TMP/kinds litmus/rsp | grep "^Test"
