litscope check -config 1,1 litmus/kernels/message_device.spvasm
