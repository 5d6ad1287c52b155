litscope check litmus/kernels/sum_barriers.spvasm
