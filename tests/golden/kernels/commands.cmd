# What works on tests works on kernels, or says that it does not.
message=litmus/kernels/message_group.spvasm
litscope repair $message | grep -e ^Repair -e after
litscope check -q -json - $message | grep verdict | sed 's,"seconds.*,,'
litscope progress -scheduler fair,hsa litmus/kernels/lock_vulkan.spvasm | grep Progress
litscope compile -q -mapping opencl-ptx $message
litscope check -q -o $TMP/pictures -svg $message litmus/kernels/lock_vulkan.spvasm | grep -c Test
ls $TMP/pictures
litscope report -q -o $TMP/report $message | sed "s,$TMP/,,"
litscope check -q -certify $TMP/certificate $message >/dev/null || echo "status $?"
litscope explore -q -machine sc $message | grep -E '^(Ok|No|out)'
litscope verify litmus/kernels/message_device.spvasm | grep Verify
# Tests have their own of what these options say.
litscope check -config 2,1,1 -filter 'x=1' litmus/c11/CoRR.litmus | grep Observation
# A kernel's operations are taken out of its text once, and not looked for where nothing is left.
litscope gen -q -suite -model opencl -budget 2 -o "$TMP/suite" litmus/kernels/message_group.spvasm | head -6
ls "$TMP/suite"
# A condition of -outcome or -conds takes the place of the kernel's; steps have their lines.
litscope explore -q -outcome 'data[0]=1 /\ out[0]!=1' litmus/kernels/message_device.spvasm | sed -n '/^Condition/p; /^Run/,$p' | head -4
echo 'message_device "exists (out[0]=1)"' >$TMP/conds
litscope check -q -conds $TMP/conds litmus/kernels/message_device.spvasm | grep ^Condition
litscope explore -q -outcome '1:r0=1' litmus/kernels/message_device.spvasm
litscope explore -q -outcome 'exists (out[0]=1) out' litmus/kernels/message_device.spvasm
