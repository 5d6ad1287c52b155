# Legal, and most likely not meant: each is warned of, with its place; -q is quiet.
litscope check tests/golden/program/slips.litmus | grep Observation
litscope check -q tests/golden/program/slips.litmus | grep Observation
