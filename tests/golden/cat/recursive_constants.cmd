# What a recursive definition mentions beside itself, and what it takes away, is there before it is computed.
litscope check -model tests/golden/cat/recursive_constants.cat tests/golden/cat/SB.litmus tests/golden/cat/rmw.litmus | grep -E '^(Test|Observation)'
litscope check -dump model -model tests/golden/cat/recursive_constants.cat -variant normw
