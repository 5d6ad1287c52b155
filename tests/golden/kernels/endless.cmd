litscope check tests/golden/kernels/endless.spvasm
litscope check -engine solve tests/golden/kernels/endless.spvasm
