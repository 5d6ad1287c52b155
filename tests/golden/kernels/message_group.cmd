litscope check litmus/kernels/message_group.spvasm
