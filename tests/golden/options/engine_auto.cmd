# -engine auto: executions are counted while they are few; of many, the solver gives the answer, on any number of
# threads, unless somebody wants them counted.  Without it all states are listed, however many executions there are.
perl -Itests/bench -MPrograms -e 'print Programs::test("ttas", 16)' >"$TMP/many.litmus"
perl -Itests/bench -MPrograms -e 'print Programs::test("ttas", 3)' >"$TMP/few.litmus"
perl -Itests/bench -MPrograms -e 'print Programs::test("broken", 16)' >"$TMP/race.litmus"
for j in 1 2; do
  litscope check -engine auto -j $j -fail-on nothing "$TMP/many.litmus" "$TMP/few.litmus" "$TMP/race.litmus" 2>&1 |
    grep -E 'has many|^(Observation|Flag|Solved|Undefined)' | sed "s,$TMP/,,"
done
litscope check -q -timeout 1 "$TMP/many.litmus" 2>&1 | grep -E '^(Undecided|Solved)' | sed 's/after .*/after many/'
litscope check -q -engine auto -rounds all -unroll 1 -timeout 1 "$TMP/many.litmus" 2>&1 | grep -E '^(Undecided|Solved)' | sed 's/after .*/after many/'
{
  echo 'C Stores'
  echo '{ x=0; y=0; }'
  for p in 0 1; do
    echo "P$p (atomic_int* x, atomic_int* y) {"
    for i in 1 2 3 4; do
      echo "  atomic_store_explicit(x, $p$i, memory_order_relaxed);"
      echo "  int r$i = atomic_load_explicit(y, memory_order_relaxed);"
      echo "  atomic_store_explicit(y, $p$i, memory_order_relaxed);"
    done
    echo '}'
  done
  echo 'exists (x=1)'
} >"$TMP/stores.litmus"
for engine in '' '-engine auto'; do
  litscope check -q $engine "$TMP/stores.litmus" -json "$TMP/json" | grep -E '^(States|Solved|Observation)'
  grep -o '"solved": *true' "$TMP/json"
done
