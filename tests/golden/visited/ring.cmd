# Threads of which each does with its own element and the next one's what the thread before does with its: one
# turn in three is tried, and counted for all. Not so where an element, or a filter on one, can be told from the others,
# or a thread is not as the others are; and without pruning the log is the same.
file=tests/golden/visited/ring.litmus
sed 's/exists.*/exists ([x1]=1)/' $file >"$TMP/element.litmus"
sed 's/exists/filter ([x2]=1)\nexists/' $file >"$TMP/filter.litmus"
sed 's/\[x1\]=0/[x1]=1/' $file >"$TMP/initial.litmus"
sed '/^P2/,/^}/s/acq_rel/acquire/' $file >"$TMP/other.litmus"
sed '/^P2/,/^}/s/(x0, mem/(x1, mem/; /^P2/s/x0/x1/' $file >"$TMP/neighbour.litmus"
for test in $file $TMP/element.litmus $TMP/filter.litmus $TMP/initial.litmus $TMP/other.litmus $TMP/neighbour.litmus; do
  litscope check -j 1 -stats -model rc11 $test 2>"$TMP/stats" | grep -v ^Time >"$TMP/log"
  sed -n 's/^Stats \(.*\) (ratio.*/\1/p' "$TMP/stats"
  litscope check -j 1 -model rc11 -prune false $test 2>"$TMP/err" | grep -v ^Time | cmp - "$TMP/log"
done
