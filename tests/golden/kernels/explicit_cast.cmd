litscope check tests/golden/kernels/explicit_cast.spvasm | grep -v ^Time
