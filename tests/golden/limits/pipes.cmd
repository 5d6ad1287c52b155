# A pipe is read as by any tool, with its writer slow or late; -timeout ends waiting for one that never comes, and the
# next file is read: it has an error, which no limit of time hides on a busy machine.
mkfifo $TMP/test $TMP/parts $TMP/json $TMP/trace
(sleep 0.3; exec >$TMP/test; sleep 0.2; cat litmus/rsp/RSP_Test2.litmus) &
litscope check $TMP/test | grep Observation
printf 'OpenCL\n' >$TMP/next
litscope check -timeout 0.1 $TMP/test $TMP/next
cat $TMP/json | grep -c '"Never"' &
litscope check -q -json $TMP/json litmus/rsp/RSP_Test2.litmus >/dev/null
wait
(sleep 0.2; cat litmus/rsp/RSP_Test2.litmus >$TMP/trace) &
litscope cost replay -trace $TMP/trace
litscope verify -family 2x1 -journal $TMP/parts
[ -p $TMP/parts ] && [ -p $TMP/json ] && echo still pipes
