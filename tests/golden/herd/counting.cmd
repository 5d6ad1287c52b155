# What counts as one execution: one co, whether the model asks for it or not, of 3 plain stores 6; and initial
# writes are of locations that are accessed. herd7 7.57 counts 3, one by final value, where the model does not ask for
# co, and orders the initial write of z too: 2 where there is 1 here. States and verdicts are the same.
dir=tests/golden/herd
litscope check -model $dir/counting.cat,$dir/counting_co.cat $dir/counting.litmus | sed -n -e '/;$/p' -e /^Positive/p
litscope check -model $dir/counting_orders.cat $dir/counting_w.litmus | sed -n -e '/;$/p' -e /^Positive/p
