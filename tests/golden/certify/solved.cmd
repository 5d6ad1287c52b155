# What a solver has shown: executions, and refutations; and what it cannot be about.
litscope check -q -engine solve -certify "$TMP/cert" litmus/c11/SB_sc.litmus litmus/c11/Inc2.litmus litmus/c11/MP_relaxed_race.litmus >/dev/null
litscope-certify "$TMP/cert"
sed -n '/^(solved/,/^(certificate/p' "$TMP/cert" | grep -v '(clause'
# A race of a kernel is an execution that raises it; whether the condition holds is settled all the same.
litscope check -q -engine solve -certify "$TMP/race" litmus/kernels/message_group.spvasm | grep -E '^(Flag|Observation)'
litscope-certify "$TMP/race"
sed 's/(raised "data_race")/(raised)/' "$TMP/race" >"$TMP/forged"
litscope-certify "$TMP/forged"
litscope check -q -engine solve -certify "$TMP/none" litmus/vulkan/Cbar_quorum.litmus litmus/opencl/Inc3_dev.litmus litmus/ptx/MP_rel_acq.litmus >/dev/null
litscope-certify "$TMP/none"
