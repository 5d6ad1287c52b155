# What the herd of 2015 says of these tests, with OpenCL's model in its language.
log=tests/golden/compare/logs/herd2015-opencl.log
tests=$(sed -n 's|^Test \(.*\) Allowed$|litmus/opencl/\1.litmus|p; s|^Test \(.*\) Forbidden$|litmus/opencl/\1.litmus|p' $log)
litscope check -model opencl-published -expect $log $tests >$TMP/log
echo expected: $?
litscope compare $log $TMP/log
# Line by line: it writes no brackets, no times, no flags, not what races, and counts executions from 1.
sed -E '/^(Hash|Bad executions)/d' $log >$TMP/herd
sed -E '/^(Time|Hash|Bad executions|Flag|Undefined)/d; /;$/s/\[([a-z]+)\]=/\1=/g; /^Condition/s/\[([a-z]+)\]=/\1=/g' $TMP/log >$TMP/own
diff $TMP/herd $TMP/own
