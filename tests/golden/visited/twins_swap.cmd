# Of threads that are alike the earlier writes first: what a later one could write, or has taken by a compare-and-swap,
# is then left out before a beginning is built.  Models are asked whether they say so: one in which not all updates are
# atomic does not, nor one in which a read may see what its own thread writes over.  Without pruning there are as many.
# (Where an update is two events, that model has no cycles of po and rf, and threads wait for one another.)
dir=tests/golden/visited
for model in rc11 sc $dir/counter_not_atomic.cat $dir/twins_swap.cat $dir/twins_swap.cat:normw; do
  litscope check -j 1 -stats -model $model $dir/twins_swap.litmus $dir/twins_store.litmus 2>&1 |
    sed -n -e 's/^Stats \(.*\) events.*/\1/p' -e /^Observation/p
  litscope check -j 1 -prune false -model $model $dir/twins_swap.litmus $dir/twins_store.litmus | grep ^Observation
done
