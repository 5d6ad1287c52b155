# Reads on which nothing hangs are not searched for one after the other: every
# choice of theirs is an execution, as a search without pruning finds too.
for test in free_reads free_reads_c; do
  file=tests/golden/visited/$test.litmus
  litscope check -stats -j 1 $file 2>"$TMP/stats" | grep -v ^Time >"$TMP/pruned"
  litscope check -j 1 -prune false $file | grep -v ^Time >"$TMP/all"
  litscope check -j 3 $file | grep -v ^Time >"$TMP/shared"
  cmp "$TMP/pruned" "$TMP/all" && cmp "$TMP/pruned" "$TMP/shared"
  sed -n 's/^Stats \(.*\) (ratio.*/\1/p' "$TMP/stats"
  grep -A 2 Witnesses "$TMP/pruned"
done
