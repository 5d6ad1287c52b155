litscope check tests/golden/kernels/by_value.spvasm
