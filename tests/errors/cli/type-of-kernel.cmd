litscope check -input ".u32 data = {0}" litmus/kernels/message_group.spvasm
