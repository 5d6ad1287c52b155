litscope check litmus/kernels/lock_vulkan.spvasm
# A barrier between a load and a store orders them only if they are shared; it is not between the stores.
for shared in ' NonPrivatePointer' ''; do
  sed -e '/OpBranch %spin/,/%got = OpLabel/d; /OpAtomicStore/d; /@Output/d' -e "s/ NonPrivatePointer/$shared/" \
    -e 's/^ *%release = .*/&\n%group = OpConstant %uint 2\n%both = OpConstant %uint 0x6048/' \
    -e 's/%more = OpIAdd.*/&\nOpControlBarrier %group %group %both/' litmus/kernels/lock_vulkan.spvasm >$TMP/barrier.spvasm
  litscope check -q -config 2,1,1 $TMP/barrier.spvasm | grep -E '^(Ok|No|Flag|Undefined)'
done
