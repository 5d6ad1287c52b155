# A read-modify-write is one event where the model does not speak of its halves, so that SC alone makes it atomic; a
# model that asks for nothing lets both read 0, as in herd7.  One that makes its own order of writes is such a model
# also where it speaks of them.  -variant normw has two events.
models=tests/golden/herd/sc_of_cos.cat,tests/golden/herd/anything.cat,tests/golden/herd/own_order.cat
litscope check -model $models tests/golden/herd/two_increments.litmus | grep -E '^(Model|Observation)'
litscope check -model $models -variant normw tests/golden/herd/two_increments.litmus | grep -E '^(Model|Observation)'
# It is a load that depends on its operand, and what it compares with is no control flow before it.
litscope check -model tests/golden/herd/operands_of_one.cat tests/golden/herd/operands_of_one.litmus | grep -e ^Flag -e ^Obs
litscope check -variant normw -model tests/golden/herd/operands_of_one.cat tests/golden/herd/operands_of_one.litmus |
  grep -e ^Flag -e ^Obs
