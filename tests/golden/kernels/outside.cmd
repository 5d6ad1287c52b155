litscope check -q tests/golden/kernels/outside.spvasm litmus/kernels/message_device.spvasm | grep -E "^(Test|Ok|No|Flag)"
litscope check -q tests/golden/kernels/outside.spvasm >/dev/null 2>&1
