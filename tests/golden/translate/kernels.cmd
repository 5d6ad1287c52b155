# Kernels as tests: barriers have their names, rounds and numbers of threads; what is not accessed is left out.
litscope compile -q -mapping opencl-vulkan,opencl-ptx -input '%part = {0, 0, 0, 0}' litmus/kernels/sum_barriers.spvasm 2>/dev/null
litscope compile -mapping vulkan-ptx litmus/kernels/lock_vulkan.spvasm
# Vulkan's operations in PTX, and what PTX cannot say.
litscope compile -mapping vulkan-ptx tests/golden/translate/vulkan.litmus
sed 's/r9=3; }/&\n{ ssw 0 2; }/' tests/golden/translate/vulkan.litmus >$TMP/pairs.litmus
litscope compile -q -mapping vulkan-ptx litmus/vulkan/Alias_device.litmus litmus/vulkan/Alias.litmus $TMP/pairs.litmus
# A failing compare-and-swap has words of its own for its order; acquire is what forbids that the message is missed.
litscope compile -mapping opencl-vulkan litmus/opencl/Lock_wg_same.litmus
failing() { sed "s/FAILURE/memory_order_$1/" tests/golden/translate/failure.litmus.in >$TMP/failure.litmus; }
for order in acquire relaxed; do
  failing $order
  litscope compile -mapping opencl-vulkan $TMP/failure.litmus
  litscope check -fail-on nothing -mapping opencl-vulkan $TMP/failure.litmus | grep Observation
  litscope verify -mapping opencl-vulkan,opencl-ptx -model opencl $TMP/failure.litmus
done
failing seq_cst
litscope compile -mapping opencl-vulkan $TMP/failure.litmus
grep -v '<failure' mappings/opencl-vulkan.xml >$TMP/none.xml
failing acquire
litscope compile -mapping $TMP/none.xml $TMP/failure.litmus
