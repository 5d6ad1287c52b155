litscope check -q tests/golden/kernels/image.spvasm litmus/kernels/message_device.spvasm | grep -E "^(Test|Ok|No|Flag)"
litscope check -q tests/golden/kernels/image.spvasm >/dev/null 2>&1
