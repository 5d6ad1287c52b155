# `fail` is caught by `try` and harmless where nothing uses it; an assertion that fails is a flag.
litscope check -model tests/golden/herd/primitives.cat tests/golden/cat/SB.litmus | grep -E '^(Flag|Obs)'
