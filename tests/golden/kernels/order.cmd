litscope check -q tests/golden/kernels/order.spvasm litmus/kernels/message_device.spvasm | grep -E "^(Test|Ok|No|Flag)"
litscope check -q tests/golden/kernels/order.spvasm >/dev/null 2>&1
