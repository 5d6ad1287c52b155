# plain
# Executions are counted while they are few; of many, the solver gives the answer and the states, on any number of
# threads, unless somebody wants them counted.
perl -Itests/bench -MPrograms -e 'print Programs::test("ttas", 16)' >"$TMP/many.litmus"
perl -Itests/bench -MPrograms -e 'print Programs::test("ttas", 3)' >"$TMP/few.litmus"
perl -Itests/bench -MPrograms -e 'print Programs::test("broken", 16)' >"$TMP/race.litmus"
for j in 1 2; do
  litscope check -j $j -fail-on nothing "$TMP/many.litmus" "$TMP/few.litmus" "$TMP/race.litmus" 2>&1 |
    grep -E 'has too many|^(Observation|Flag|Solved|Undefined)' | sed "s,$TMP/,,"
done
# Where only the condition's answer is asked for, the solver is asked sooner, and not about races; of threads that are
# alike one order is tried.
perl -Itests/bench -MPrograms -e 'print Programs::test("inc2", 8)' >"$TMP/sums.litmus"
perl -Itests/bench -MPrograms -e 'print Programs::test("ticket", 12)' >"$TMP/alike.litmus"
litscope check -speedcheck true -fail-on nothing "$TMP/many.litmus" "$TMP/sums.litmus" "$TMP/race.litmus" 2>&1 |
  grep -E 'has too many|^(Observation|Flag|Solved|Undefined)' | sed "s,$TMP/,,"
litscope check -speedcheck true -engine enumerate "$TMP/alike.litmus" | grep -E '^(Observation|Solved)'
for options in '-engine enumerate' '-rounds all -unroll 1' '-restrict condone'; do
  litscope check -q $options -timeout 0.5 "$TMP/many.litmus" 2>&1 | grep -E '^(Undecided|Solved)' | sed 's/after .*/after many/'
done
# The search does not come to its end, and the solver says which states there are.
perl -e 'print "C Stores\n{ x=0; y=0; }\n";
for my $p (0, 1) {
  print "P$p (atomic_int* x, atomic_int* y) {\n", (map { "  atomic_store_explicit(x, $p$_, memory_order_relaxed);\n" .
    "  int r$_ = atomic_load_explicit(y, memory_order_relaxed);\n  atomic_store_explicit(y, $p$_, memory_order_relaxed);\n" }
    1 .. 5), "}\n";
}
print "locations [y;]\nexists (x=1)\n"' >"$TMP/stores.litmus"
litscope check -q "$TMP/stores.litmus" -json "$TMP/json" | grep -v '^Time'
grep -Eo '"(solved|all_states)": *[a-z]*' "$TMP/json"
tests/schema/validate checker/report/results.schema.json "$TMP/json"
# More states than are looked for.
{
  printf 'C Many\n{ x=0; }\n'
  for p in 0 1 2 3 4 5 6 7 8; do echo "P$p (atomic_int* x) { int r = atomic_fetch_add(x, $((p + 1))); }"; done
  echo 'locations [0:r; 1:r; 2:r; 3:r; 4:r; 5:r; 6:r; 7:r; 8:r;]'
  echo 'exists (x=1)'
} >"$TMP/states.litmus"
litscope check "$TMP/states.litmus" -json "$TMP/json" 2>&1 | grep -E '^(Solved|No)|has too many' | sed "s,$TMP/,,"
grep -Eo '"(solved|all_states)": *[a-z]*' "$TMP/json"
