litscope check -q tests/golden/kernels/many_additions.spvasm | grep -E "^(Test|Ok|No|Observation|Solved)"
