# A read-modify-write is one event where the model does not speak of its halves, so that SC alone makes it atomic; a
# model that asks for nothing lets both read 0, as in herd7.  One that makes its own order of writes is such a model
# also where it speaks of them.  -variant normw has two events.
models=tests/golden/herd/sc_of_cos.cat,tests/golden/herd/anything.cat,tests/golden/herd/own_order.cat
litscope check -model $models tests/golden/herd/two_increments.litmus | grep -E '^(Model|Observation)'
litscope check -model $models -variant normw tests/golden/herd/two_increments.litmus | grep -E '^(Model|Observation)'
# It is a load that depends on its operand, and what it compares with is no control flow before it.  Where it fails, its
# result depends on what it read, as C has it (herd7: on nothing).
model=tests/golden/herd/operands_of_one.cat
tests="tests/golden/herd/operands_of_one.litmus tests/golden/herd/compare_fails.litmus"
litscope check -model $model $tests | grep -e ^Flag -e ^Obs
litscope check -variant normw -model $model $tests | grep -e ^Flag -e ^Obs
