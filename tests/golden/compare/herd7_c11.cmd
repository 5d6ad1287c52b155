# What herd7 says of these tests, with its own rc11.cat.
log=tests/golden/compare/logs/herd7-c11.log
litscope check -model rc11 -expect $log litmus/c11 >$TMP/log
echo expected: $?
litscope compare $log $TMP/log
# Line by line: what the manual page says of differences from herd.
plain() { sed -E '/^(Time|Hash|Bad executions|Undefined)/d' "$1"; }
plain $log >$TMP/herd
plain $TMP/log >$TMP/own
diff $TMP/herd $TMP/own
