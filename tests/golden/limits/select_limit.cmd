# A name that the pattern takes too long on is neither chosen nor left out.
sed '1s/RSP_Test2/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!/' litmus/rsp/RSP_Test2.litmus >$TMP/t.litmus
litscope check -q -select '^((a|aa)+)+$' $TMP/t.litmus litmus/hrf/D1.litmus
