# A lock taken by compare-and-swap is followed to its end; one whose exchange also releases, or that counts
# its rounds, is cut, which matters where the machine shows more than the model.
litscope verify -awaits false -mapping rsp-original litmus/loops/Lock_CAS_2.litmus | head -2
litscope verify -mapping rsp-original litmus/loops/Lock_CAS_2.litmus | head -2
for order in acq_rel seq_cst; do
  sed "s/memory_order_acquire/memory_order_$order/; s/Lock_TAS_2/$order/" litmus/loops/Lock_TAS_2.litmus >$TMP/$order.litmus
done
sed 's/ {$/ { int tries = 0;/; s/{ int tries = 0;$/&/; s/^  }$/  tries++; }/; s/Lock_TAS_2/Counted/' litmus/loops/Lock_TAS_2.litmus |
  sed 's/!= 0) { int tries = 0;/!= 0) {/' >$TMP/counted.litmus
litscope check -q -rounds new litmus/loops/Lock_TAS_2.litmus $TMP/acq_rel.litmus $TMP/seq_cst.litmus $TMP/counted.litmus |
  grep -e ^Test -e ^Loop -e ^Ok -e ^No -e '^Observation'
