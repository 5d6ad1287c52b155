# What counts as one execution: one co of 3 plain stores, so 6, but where the model does not ask for co one last write of
# a location that is observed, so 3, or 1 where it is not, as in herd7; so too where it orders atomic stores alone.
# Initial writes are of locations that are accessed. herd7 7.58 orders that of z too: 2 where there is 1 here.
dir=tests/golden/herd
litscope check -model $dir/counting.cat,$dir/counting_co.cat $dir/counting.litmus | sed -n -e '/;$/p' -e /^Positive/p
sed '/^locations/d; s/x=1)$/true)/' $dir/counting.litmus >"$TMP/unobserved.litmus"
litscope check -model $dir/counting.cat,$dir/counting_co.cat,$dir/counting_atomic.cat "$TMP/unobserved.litmus" | grep ^Positive
litscope check -j 4 -model $dir/counting.cat,$dir/counting_co.cat,$dir/counting_atomic.cat $dir/counting_plain.litmus |
  grep ^Positive
litscope check -model $dir/counting_orders.cat $dir/counting_w.litmus | sed -n -e '/;$/p' -e /^Positive/p
# herd7's cos.cat chooses an order of all writes, used or not.
sed '1a include "cos.cat"' $dir/counting.cat >$TMP/unused.cat
litscope check -model $TMP/unused.cat $dir/counting.litmus $TMP/unobserved.litmus | grep ^Positive
# Three sources of the read, each with two last writes.
litscope check -model $dir/counting_rf.cat $dir/counting_own.litmus | sed -n -e '/;$/p' -e /^Positive/p
