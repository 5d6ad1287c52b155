litscope check -q tests/golden/kernels/push_words.spvasm | grep -E '^(Ok|No|Flag)'
