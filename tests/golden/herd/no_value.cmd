# A read-modify-write that is one event has no value of its own, so it differs even from itself; loads and stores have one.
# herd7 says the same of these.
litscope check -model tests/golden/herd/no_value.cat tests/golden/herd/add_nothing.litmus tests/golden/herd/one_load.litmus | grep -E '^(Observation|Flag)'
