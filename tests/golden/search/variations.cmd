# Models compared on the variations of tests: few changes and rare words first, the
# first test of each class reduced; a budget; no difference; refusals.
shapes=tests/golden/search/shapes
litscope diff -q -model vulkan,vulkan:alloy $shapes/Chain.litmus; echo "status $?"
litscope diff -q -model vulkan,vulkan:nochains -budget 20 $shapes/Chain.litmus $shapes/Same_place.litmus; echo "status $?"
litscope diff -q -model ptx-v6.0,ptx-v7.5 -changes 0 $shapes/MP_surface.litmus $shapes/Two_names.litmus
litscope diff -q -model opencl,opencl-rsp -undefined litmus/opencl/Handshake.litmus | head -12
litscope diff -q -model vulkan $shapes/Chain.litmus; echo "status $?"
litscope diff -q -model vulkan,ptx -json "$TMP/x.json" $shapes/Chain.litmus; echo "status $?"
litscope diff -q -model vulkan,ptx $shapes/Chain.litmus; echo "status $?"
# Executions that do not pass the test's filter do not count.
for read in 0 1; do
  { sed '/^~*exists/d' litmus/ptx/MP_rel_acq.litmus; echo "filter (P1:r0 == $read)"; echo 'exists (P1:r1 == 0)'; } >"$TMP/filtered.litmus"
  litscope diff -q -model ptx,ptx-causality -changes 0 "$TMP/filtered.litmus" | grep -E '^0 '
done
