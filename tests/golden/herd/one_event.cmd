# A read-modify-write is one event where the model does not speak of its halves, so that SC alone makes it atomic; a
# model that asks for nothing lets both read 0, as in herd7.  -variant normw has two events.
models=tests/golden/herd/sc_of_cos.cat,tests/golden/herd/anything.cat
litscope check -model $models tests/golden/herd/two_increments.litmus | grep -E '^(Model|Observation)'
litscope check -model $models -variant normw tests/golden/herd/two_increments.litmus | grep -E '^(Model|Observation)'
