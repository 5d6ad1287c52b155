# Where a solver has answered, executions are not counted, and a log may lack states: neither is a difference, but a state
# that is in such a log alone, another answer or another race is.
test=litmus/c11/MP_relaxed_race.litmus
for engine in enumerate solve; do
  litscope check -q -fail-on nothing -engine $engine $test | sed '/^Time/d' >"$TMP/$engine"
  grep -E '^(Observation|Solved)' "$TMP/$engine"
done
same() { litscope compare "$1" "$2" && litscope compare "$2" "$1"; }
same "$TMP/enumerate" "$TMP/solve"
litscope check -q -engine enumerate -expect "$TMP/solve" $test >"$TMP/log" && echo as expected
litscope check -q -engine solve -expect "$TMP/enumerate" $test >"$TMP/log" && echo as expected
sed 's/^Solved \(.*\) with .*/Solved \1 with executions of some states/; /^States/s/3/2/; /^1:r0=1; 1:r1=1;/d' "$TMP/solve" >"$TMP/some"
same "$TMP/enumerate" "$TMP/some"
same "$TMP/some" "$TMP/some"
litscope check -q -engine solve -expect "$TMP/some" $test >"$TMP/log" && echo as expected
sed 's/^1:r0=1; 1:r1=0;/1:r0=2; 1:r1=2;/' "$TMP/some" >"$TMP/wrong"
litscope compare "$TMP/enumerate" "$TMP/wrong"
sed '/^Flag/d; s/([0-9]* in total)/(0 in total)/' "$TMP/some" >"$TMP/no_race"
litscope compare "$TMP/enumerate" "$TMP/no_race"
