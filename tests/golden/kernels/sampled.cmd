# What is computed from values that nothing sets is asked about for a few of them, and an answer for want of an
# execution says so. Copies and comparisons need no more than these few, and a machine's first value is among them.
module=litmus/kernels/message_device.spvasm
sed '/@Input: %data/d; /OpStore %data/d; s/@Output.*/@Output: not exists (%out[0] == 6)/' $module >$TMP/copied.spvasm
sed 's/OpStore %out %value/%twice = OpIAdd %uint %value %value\n&/; s/%out %value/%out %twice/' $TMP/copied.spvasm >$TMP/computed.spvasm
for name in copied computed; do
  litscope check $TMP/$name.spvasm | grep -E '^(Ok|No)'
  litscope verify -machine sc $TMP/$name.spvasm
done
litscope check -q $TMP/computed.spvasm | grep -E '^(Ok|No)'
litscope check -output 'exists (%out[0] == 4)' $TMP/computed.spvasm | grep -E '^(Ok|No)'
