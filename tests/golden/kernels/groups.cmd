# Two work-items of a group: the sum of what each got of an atomic operation. Values that only a run knows go through
# memory, which languages and compilers do not have.
sed 's/^ *//; s/{-1}/{-1, -1}/; s/^OpCapability Kernel/&\nOpCapability Groups/; s/1, 1, 2/1, 2, 1/; s/^%kernel = OpFunction/%group = OpConstant %uint 2\n&/
  s/^%seen = .*/%old = OpAtomicIAdd %uint %flag %scope %acquire %one/; s/%seen/%old/
  s/^OpBranchConditional %is_first .*/%count = OpAtomicIAdd %uint %flag %scope %acquire %one\n%sum = OpGroupIAdd %uint %group Reduce %count\n%o = OpPtrAccessChain %ptr_global %out %item\nOpStore %o %sum\nOpReturn/
  /^%writer = OpLabel/,/^%end = OpLabel/d; s/OpFunctionEnd/&/' litmus/kernels/message_device.spvasm |
  awk '/^OpReturn/ { if (returned++) next } 1' >$TMP/groups.spvasm
litscope check -dump program $TMP/groups.spvasm
litscope check -output 'forall (%out[0] == 1 and %out[1] == 1)' $TMP/groups.spvasm | grep -vE '^(Time|Hash)'
litscope check -q -engine solve -output 'forall (%out[0] == 1 and %out[1] == 1)' $TMP/groups.spvasm | grep -E '^(Ok|Flag)'
litscope progress -q $TMP/groups.spvasm
litscope compile -mapping opencl-ptx $TMP/groups.spvasm
litscope verify -q -target gfx942 $TMP/groups.spvasm
