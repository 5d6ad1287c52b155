# Names of the Vulkan CTS are tests: the program of each, and what differs by its words.
d=dEQP-VK.memory_model
litscope check $d.message_passing.ext.u32.noncoherent.fence_atomic.atomicwrite.device.payload_local.image.guard_nonlocal.buffer.comp
litscope check -q -j 1 $d.write_after_read.ext.u64.coherent.atomic_atomic.atomicrmw.queuefamily.payload_nonlocal.workgroup.guard_nonlocal.buffer.comp \
  $d.message_passing.core11.u32.coherent.control_and_memory_barrier.atomicwrite.subgroup.payload_nonlocal.image.guard_nonlocal.buffer.comp \
  $d.transitive.noncoherent.fence_fence.payload_nonlocal.physbuffer.guard_local.image.transvis | grep -E '^(Observation|Flag|Hash)'
# Without chains, the transitive one is a race.
litscope check -q -model vulkan,vulkan-nochains $d.transitive.coherent.atomic_atomic.payload_nonlocal.buffer.guard_nonlocal.image.nontransvis | grep -A2 '^Verdicts'
# A pattern stands for each program once; what is no name of a test is an error at its word, and the others go on.
litscope check -q "$d.*.control_barrier.*" "$d.transitive.*.transvis" | grep -cE '^Observation .* Never'
printf '# a list\n%s\n' $d.transitive.coherent.fence_fence.payload_local.image.guard_local.buffer.transvis $d.shared.8bit.basic_types.3 >"$TMP/list"
litscope check @"$TMP/list" | grep '^Observation'
litscope check "$d.*.nothing"; echo "status $?"
litscope check $d.message_passing.ext.u32.coherent.fence_fence.atomicrite.device.payload_nonlocal.buffer.guard_nonlocal.buffer.comp \
  $d.transitive.coherent.fence_fence.payload_local.image.guard_local.buffer.transvis.comp $d.transitive.coherent.fence_fence.payload_local.image.guard_local.buffer.transvis. $d.message_passing.permuted_index.barrier \
  $d.message_passing.ext.u32 >/dev/null; echo "status $?"
for words in message_passing.core11.u32.noncoherent.fence_fence.atomicwrite.device.payload_local.buffer.guard_local.buffer.comp \
  message_passing.core11.u32.coherent.fence_fence.atomicwrite.queuefamily.payload_local.buffer.guard_local.buffer.comp \
  message_passing.core11.u32.coherent.fence_fence.atomicwrite.device.payload_local.physbuffer.guard_local.buffer.comp \
  message_passing.ext.u32.coherent.fence_fence.atomicwrite.device.payload_local.workgroup.guard_local.buffer.comp \
  message_passing.ext.u32.coherent.fence_fence.atomicwrite.workgroup.payload_local.buffer.guard_local.buffer.vert \
  message_passing.ext.u32.coherent.control_barrier.atomicwrite.workgroup.payload_local.buffer.guard_local.image.comp \
  message_passing.ext.u32.coherent.control_barrier.atomicwrite.device.payload_local.buffer.guard_nonlocal.buffer.comp \
  write_after_read.ext.f32.coherent.fence_fence.atomicwrite.device.payload_local.buffer.guard_local.buffer.comp \
  write_after_read.ext.u64.coherent.atomic_atomic.atomicwrite.device.payload_local.image.guard_local.image.comp \
  write_after_read.ext.f64.coherent.atomic_atomic.atomicwrite.device.payload_local.image.guard_local.buffer.comp \
  transitive.coherent.control_barrier.payload_local.image.guard_local.buffer.transvis \
  transitive.coherent.fence_fence.payload_local.workgroup.guard_local.buffer.transvis; do
  litscope check -q $d.$words 2>&1 | grep -o 'error: .*'
done
