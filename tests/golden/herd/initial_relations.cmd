# What int and ext, and what is made of them, say of initial writes: the flags are herd7 7.57's.
litscope check -model tests/golden/herd/initial_relations.cat tests/golden/cat/SB.litmus | grep ^Flag
