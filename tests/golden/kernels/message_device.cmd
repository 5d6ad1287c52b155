litscope check litmus/kernels/message_device.spvasm
