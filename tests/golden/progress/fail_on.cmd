# What CI can be made to fail on: a run that does not end, under the schedulers that are asked, or by a model.
litscope progress -fail-on endless -scheduler fair -junit "$TMP/fair.xml" tests/golden/progress/wait.litmus
echo "status $?"
litscope progress -fail-on endless -scheduler fair,obe -junit "$TMP/obe.xml" tests/golden/progress/wait.litmus
echo "status $?"
grep -h '<testsuites\|<failure' "$TMP/fair.xml" "$TMP/obe.xml" | sed 's/ time="[^"]*"//'
litscope progress -fail-on endless -model ptx litmus/ptx/Barrier_quorum_hang.litmus | head -1
litscope progress -fail-on endless -model ptx litmus/ptx/Barrier_quorum_hang.litmus >/dev/null
echo "status $?"
litscope progress -model ptx litmus/ptx/Barrier_quorum_hang.litmus >/dev/null
echo "status $?"
