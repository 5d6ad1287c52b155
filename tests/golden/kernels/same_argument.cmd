litscope check tests/golden/kernels/same_argument.spvasm
