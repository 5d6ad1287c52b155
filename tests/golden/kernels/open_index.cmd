# An argument without a length, and an index that only a run knows: one element for each work-item, and none further.
sed -e '/@Input: %data/d' -e 's/^ *%use = OpLabel/&\n%at = OpUConvert %ulong %seen\n%p = OpPtrAccessChain %ptr_global %data %at\n%l = OpLoad %uint %p\nOpStore %out %l/' litmus/kernels/message_device.spvasm >$TMP/open_index.spvasm
litscope check -dump program $TMP/open_index.spvasm
litscope check -q $TMP/open_index.spvasm | grep -E '^(Ok|No|Flag)'
# An array of the work-item's own: of one element, and of two, the last of which the index names.
for length in one two; do
  sed -e "s/^ *%kernel = OpFunction /%two = OpConstant %uint 2\n%array = OpTypeArray %uint %$length\n%ptr_array = OpTypePointer Function %array\n%ptr_own = OpTypePointer Function %uint\n&/" \
    -e 's/^ *%entry = OpLabel/&\n%own = OpVariable %ptr_array Function/' \
    -e 's/^ *%use = OpLabel/&\n%at = OpUConvert %ulong %seen\n%p = OpInBoundsAccessChain %ptr_own %own %at\nOpStore %p %one\n%l = OpLoad %uint %p/' \
    litmus/kernels/message_device.spvasm >$TMP/$length.spvasm
  litscope check -q $TMP/$length.spvasm | grep -E '^(Ok|No|Flag|Undefined)'
done
