# Logs of several models, machines and languages summed, and conditions made of a log: they hold where it came from.
litscope check -model sc litmus/rsp/RSP_Test1.litmus litmus/rsp/RSP_Test7.litmus >$TMP/a.log
litscope check litmus/rsp/RSP_Test7.litmus litmus/hsa/Fig7_lock.litmus >$TMP/b.log 2>$TMP/err
litscope compare -sum $TMP/a.log $TMP/b.log >$TMP/sum.log
sed -n '/^Test RSP_Test7/,/^$/p' $TMP/sum.log
litscope compare $TMP/b.log $TMP/sum.log
litscope compare -to-conds $TMP/b.log | tee $TMP/conds
litscope check -conds $TMP/conds litmus/rsp/RSP_Test7.litmus litmus/hsa/Fig7_lock.litmus 2>$TMP/err | grep '^Observation'
litscope check -conds $TMP/conds -model sc litmus/rsp/RSP_Test7.litmus | grep '^Observation'
litscope compare -sum tests/golden/compare/logs/herd2015-opencl.log | head -n 5
litscope compare -sum
