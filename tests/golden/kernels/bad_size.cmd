litscope check -q tests/golden/kernels/bad_size.spvasm litmus/kernels/message_device.spvasm | grep -E "^(Test|Ok|No|Flag)"
litscope check -q tests/golden/kernels/bad_size.spvasm >/dev/null 2>&1
