# Which compare-and-swaps succeed is settled early: what one reads is decided before it
# is known to succeed (where that is the same event either way);
# a read that needs a value which no open thread writes any more has all its sources,
# and so has one that only its own thread could still feed; and what one read-modify-write
# reads from, no other does.  (1,024 choices of paths once, then 54 candidates.)
dir=tests/golden/visited
{ litscope check -stats -model opencl-rsp -variant cas-keeps-expected $dir/swaps.litmus
  litscope check -stats -model rc11 $dir/swaps_in_one_thread.litmus $dir/swaps_and_stores.litmus
  sed -e 's/swaps_and_stores/swaps_ordered/' -e 's/relaxed, memory_order_relaxed);/acquire, memory_order_relaxed);/' \
    $dir/swaps_and_stores.litmus >"$TMP/swaps_ordered.litmus"
  litscope check -stats -model rc11 "$TMP/swaps_ordered.litmus"; } 2>&1 |
  sed -n 's/^Stats \(.*\) (ratio [^)]*), \(.*paths\),.*/\1, \2/p'
# That is so too where success and failure have different orders: what is read first is
# in no set of an order then.  Were it believed to succeed, or to fail, the model would rule out all sources of the other
# branch, and its executions would be lost.
file=$dir/swap_orders
for variant in acquires others; do
  for prune in true false; do
    litscope check -j 1 -prune $prune -variant $variant -model $file.cat $file.litmus | grep -v ^Time >"$TMP/$prune"
  done
  cmp "$TMP/true" "$TMP/false" && grep ^Observation "$TMP/true"
done
