# Conditions on floats: numbers, of which floats_compared.cmd has every pair; what has another type is refused.
litscope check -q -input '%in = {-0.0, nan}' -output 'forall (not %out[0] < %out[1] and %out[0] == 0 and %out[1] != %out[1])' \
  tests/golden/kernels/floats.spvasm | grep '^[ON]'
for condition in '%out[0] == 1.5e0' '1.5 == 1.5' '%out[0] == %long[0]'; do
  litscope check -q -output "forall ($condition)" -input '%in = {1.5, 0.0}' tests/golden/kernels/floats.spvasm | grep '^[ON]'
done
litscope check -q -output 'forall (%out[0] == 1.5)' litmus/kernels/message_device.spvasm
