litscope check tests/golden/kernels/endless.spvasm
