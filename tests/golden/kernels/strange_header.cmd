litscope check -q tests/golden/kernels/strange_header.spvasm litmus/kernels/message_device.spvasm | grep -E "^(Test|Ok|No|Flag)"
litscope check -q tests/golden/kernels/strange_header.spvasm >/dev/null 2>&1
