# Executions are counted while they are few; of many, the solver gives the answer, on any number of threads, unless somebody
# wants them counted.
perl -Itests/bench -MPrograms -e 'print Programs::test("ttas", 16)' >"$TMP/many.litmus"
perl -Itests/bench -MPrograms -e 'print Programs::test("ttas", 3)' >"$TMP/few.litmus"
perl -Itests/bench -MPrograms -e 'print Programs::test("broken", 16)' >"$TMP/race.litmus"
for j in 1 2; do
  litscope check -j $j -fail-on nothing "$TMP/many.litmus" "$TMP/few.litmus" "$TMP/race.litmus" 2>&1 |
    grep -E 'has many|^(Observation|Flag|Solved|Undefined)' | sed "s,$TMP/,,"
done
litscope check -q -engine enumerate -timeout 1 "$TMP/many.litmus" 2>&1 | grep -E '^(Undecided|Solved)' | sed 's/after .*/after many/'
litscope check -q -rounds all -unroll 1 -timeout 1 "$TMP/many.litmus" 2>&1 | grep -E '^(Undecided|Solved)' | sed 's/after .*/after many/'
