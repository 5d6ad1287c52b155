# A suite from names of the Vulkan CTS and other tests: what the CTS's programs kill, each test's shape, and its name there.
cts=dEQP-VK.memory_model
litscope gen -q -suite -model vulkan -changes 0 -o "$TMP/suite" litmus/vulkan/CoRR.litmus \
  $cts.message_passing.ext.u32.noncoherent.atomic_atomic.atomicwrite.device.payload_local.buffer.guard_local.buffer.frag \
  $cts.transitive.noncoherent.fence_atomic.payload_local.buffer.guard_local.buffer.transvis \
  litmus/vulkan/MP_qf_scope.litmus litmus/vulkan/MP_fences.litmus litmus/vulkan/Ssw.litmus litmus/vulkan/Cbar.litmus \
  litmus/vulkan/Exchange.litmus >"$TMP/out"
sed -n '/^Left/q; /^[A-Z]/p; /CTS:/p' "$TMP/out"
# The filter of a test is one of those that are made of it.
cat "$TMP/suite/MP-2.litmus"
litscope check -q -model vulkan "$TMP/suite" | grep -c '^Ok'
