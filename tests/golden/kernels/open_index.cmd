# An argument without a length, and an index that only a run knows: one element for each work-item, and none further.
sed -e '/@Input: %data/d' -e 's/^ *%use = OpLabel/&\n%at = OpUConvert %ulong %seen\n%p = OpPtrAccessChain %ptr_global %data %at\n%l = OpLoad %uint %p\nOpStore %out %l/' litmus/kernels/message_device.spvasm >$TMP/open_index.spvasm
litscope check -dump program $TMP/open_index.spvasm
litscope check -q $TMP/open_index.spvasm | grep -E '^(Ok|No|Flag)'
