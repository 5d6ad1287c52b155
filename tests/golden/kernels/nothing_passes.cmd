# A filter that no execution passes: the condition says nothing, which is a failure
kernel=litmus/kernels/message_device.spvasm
litscope check -filter '(out[0] == 7)' $kernel | grep -e States -e Observation
litscope check -q -fail-on nothing -filter '(out[0] == 7)' $kernel > /dev/null && echo allowed
sed 's/^~*exists/filter (1:r0=5)\n&/' litmus/c11/MP_rel_acq.litmus > "$TMP/filtered.litmus"
litscope check "$TMP/filtered.litmus" | grep -e States -e Observation
litscope check -speedcheck false -filter '(out[0] == 7)' $kernel | grep -e States -e Observation
