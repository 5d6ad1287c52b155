# Numbers of @Input, -input and @Output are of the type that they are for: none is cut, and none loses its fraction
kernel=litmus/kernels/message_device.spvasm
for value in 4294967295 -2147483648 4294967296 -2147483649 0.5 1e3; do litscope check -q -config 1,1,1 -input "out = {$value}" $kernel | grep out; done
litscope check -q -config 1,1,1 -output 'exists (out[0] == 4294967296)' $kernel
litscope check -q -input 'out = {-1.0}' litmus/kernels/message.ptx
