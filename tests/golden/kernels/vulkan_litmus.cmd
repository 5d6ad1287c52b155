# A kernel for Vulkan as a litmus test, for other tools; one whose memory holds anything at the start is none.
litscope compile -mapping vulkan-litmus litmus/kernels/lock_vulkan.spvasm
sed '/@Input/d' litmus/kernels/lock_vulkan.spvasm > $TMP/any.spvasm; litscope compile -mapping vulkan-litmus $TMP/any.spvasm
litscope compile -mapping vulkan-litmus litmus/kernels/message_group.spvasm
sed 's/OpAtomicExchange/OpAtomicUMin/' litmus/kernels/lock_vulkan.spvasm > $TMP/umin.spvasm; litscope compile -mapping vulkan-litmus $TMP/umin.spvasm
