# A copy for a work-group: half of it is made at the call, half when it is waited for.
k=tests/golden/kernels/copies.spvasm
litscope check -dump program $k
litscope check -q $k | grep -E '^(Ok|No|Flag|Undefined)'
# Who waits only after the use, with a barrier in place of the wait; and who waits for nothing.
sed '/OpGroupWaitEvents/d; s/^ *OpReturn/OpGroupWaitEvents %two %one %done\n&/; s/^ *OpStore %done.*/&\nOpControlBarrier %two %two %semantics/' $k >$TMP/late.spvasm
litscope check -q $TMP/late.spvasm | grep -E '^(Ok|No|Flag|Undefined)'
sed 's/OpGroupWaitEvents.*/OpControlBarrier %two %two %semantics/' $k >$TMP/never.spvasm
litscope check -q $TMP/never.spvasm
# A copy that is given an event shares it; an array whose length nobody gives is as long as it is copied.
sed 's/^ *%copy = .*/&\n%also = OpGroupAsyncCopy %event %two %start %in %count %count %copy/' $k >$TMP/shared.spvasm
litscope check -q $TMP/shared.spvasm | grep -E '^(Ok|No|Flag|Undefined)'
sed '/@Input: %in/d; /@Output/d' $k >$TMP/unknown.spvasm
litscope check -q $TMP/unknown.spvasm | grep -E '^(Ok|No|Flag|Undefined)'
# Where nothing is copied, the condition fails by what local memory held before.
sed '/OpGroupAsyncCopy/d; /OpStore %done/d; /OpGroupWaitEvents/d' $k >$TMP/unset.spvasm
litscope check $TMP/unset.spvasm | grep -E '^(Ok|No|Flag|Undefined)'
# All work-items must come to it, with the same arguments.
sed 's/%two %start %in %count %count/%two %start %in %wide %count/' $k >$TMP/own.spvasm
litscope check -q $TMP/own.spvasm
# The number must be known.
sed 's/%two %start %in %count %count/%two %start %in %many %count/; s/^ *%start = .*/&\n%load = OpLoad %uint %out\n%many = OpUConvert %ulong %load/; s/%out = {0, 0}/%out = {2, 0}/' $k >$TMP/open.spvasm
litscope check -q $TMP/open.spvasm
sed 's/OpConstant %ulong 2/OpConstant %ulong 70000/' $k >$TMP/wide.spvasm
litscope check -q $TMP/wide.spvasm
