# plain
# A suite from tests and their variations: which part of which rule each of its tests shows, and what none does.
litscope gen -suite -model ptx-v6.0 -changes 0 -o "$TMP/suite" litmus/ptx/MP_rel_acq.litmus litmus/ptx/SB_fence_sc.litmus; echo "status $?"
ls "$TMP/suite"
cat "$TMP/suite/MP-1.litmus"
litscope check -q -model ptx-v6.0 "$TMP"/suite | grep -E '^(Ok|No|Observation)'
litscope gen -q -suite -model opencl -budget 150 -o "$TMP/more" litmus/opencl/Handshake.litmus | sed -n 2,5p
grep -hE '^"|exists' "$TMP"/more/*
litscope check -q -model opencl "$TMP/more" | grep -c '^Ok'
# Its model does not see remote operations, and so they are not tried: devices have none.
for language in opencl cuda hip; do litscope run -emit $language "$TMP/$language" "$TMP/more" | wc -l; done
litscope gen -q -suite -model ptx-v6.0 -budget 40 litmus/ptx/CoRR_weak.litmus | head -5
litscope gen -q -suite -model opencl-rsp litmus/rsp/RSP_Test1.litmus; echo "status $?"
litscope gen -q -suite -model ptx,vulkan litmus/ptx/CoRR_weak.litmus; echo "status $?"
litscope gen -q -model ptx litmus/ptx/CoRR_weak.litmus; echo "status $?"
mkdir "$TMP/full" "$TMP/full/CoRR-1.litmus"
litscope gen -q -suite -model ptx-v6.0 -changes 0 -o "$TMP/full" litmus/ptx/CoRR_weak.litmus >/dev/null; echo "status $?"
litscope gen -q -suite -model hrf-rsp-native litmus/hsa/Fig11_any_order.litmus; echo "status $?"
litscope gen -suite -model ptx-v6.0 -changes 0 -json "$TMP/suite.json" litmus/ptx/SB_fence_sc.litmus | sed -n '4,6p'
litscope gen -suite -model vulkan -changes 0 -json - dEQP-VK.memory_model.transitive.coherent.atomic_atomic.payload_local.buffer.guard_local.buffer.nontransvis | grep -o '"vulkan_cts": {[^}]*}'
grep -o '"programs": .*"of": "[^"]*"' "$TMP/suite.json"; grep -o '"left": \[{[^}]*}' "$TMP/suite.json"
