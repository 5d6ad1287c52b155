# No flag may be raised (herd7: an initial write is in no thread).
litscope check -model tests/golden/herd/initial.cat tests/golden/cat/SB.litmus
