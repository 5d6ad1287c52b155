# Kernels: what is changed are constants of the module, which may need new ones; and what a right one can spare.
litscope repair litmus/kernels/message_group.spvasm; echo "status $?"
litscope repair -want 'forall (%out[0] == 1)' litmus/kernels/message_group.spvasm | head -1; echo "status $?"
litscope repair -weaken litmus/kernels/message_device.spvasm litmus/kernels/lock_vulkan.spvasm
# The text that spirv-dis makes of a module in words is what is changed; one that is no module is an error.
printf '\003\002\043\007no module' >"$TMP/words.spv"
litscope repair "$TMP/words.spv" 2>&1 | sed "s,$TMP/,,"
