litscope check tests/golden/kernels/nested.spvasm
