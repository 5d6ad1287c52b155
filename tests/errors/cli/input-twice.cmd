litscope check -input flag=1 -input flag=0 litmus/kernels/message_device.spvasm
