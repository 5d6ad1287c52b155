litscope check litmus/kernels/sum_races.spvasm
