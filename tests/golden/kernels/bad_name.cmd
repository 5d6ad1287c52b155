litscope check -q tests/golden/kernels/bad_name.spvasm litmus/kernels/message_device.spvasm | grep -E "^(Test|Ok|No|Flag)"
litscope check -q tests/golden/kernels/bad_name.spvasm >/dev/null 2>&1
