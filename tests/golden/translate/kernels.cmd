# Kernels as tests: barriers have their names, rounds and numbers of threads; what is not accessed is left out.
litscope compile -q -mapping opencl-vulkan,opencl-ptx -input '%part = {0, 0, 0, 0}' litmus/kernels/sum_barriers.spvasm 2>/dev/null
litscope compile -mapping vulkan-ptx litmus/kernels/lock_vulkan.spvasm
# Vulkan's operations in PTX, and what PTX cannot say.
litscope compile -mapping vulkan-ptx tests/golden/translate/vulkan.litmus
sed 's/r9=3; }/&\n{ ssw 0 2; }/' tests/golden/translate/vulkan.litmus >$TMP/pairs.litmus
litscope compile -q -mapping vulkan-ptx litmus/vulkan/Alias_device.litmus litmus/vulkan/Alias.litmus $TMP/pairs.litmus
# A failing compare-and-swap has no order in the words of the mapping.
litscope compile -mapping opencl-vulkan litmus/opencl/Lock_wg_same.litmus
sed 's/memory_order_relaxed/memory_order_acquire/' litmus/opencl/Lock_wg_same.litmus >$TMP/failure.litmus
litscope compile -mapping opencl-vulkan $TMP/failure.litmus
