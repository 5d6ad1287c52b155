litscope check -q tests/golden/kernels/unused_input.spvasm litmus/kernels/message_device.spvasm | grep -E "^(Test|Ok|No|Flag)"
litscope check -q tests/golden/kernels/unused_input.spvasm >/dev/null 2>&1
