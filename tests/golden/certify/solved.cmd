# What a solver has shown: executions, and refutations; and what it cannot be about.
litscope check -q -engine solve -certify "$TMP/cert" litmus/c11/SB_sc.litmus litmus/c11/Inc2.litmus litmus/c11/MP_relaxed_race.litmus >/dev/null
litscope-certify "$TMP/cert"
sed -n '/^(solved/,/^(certificate/p' "$TMP/cert" | grep -v '(clause'
litscope check -q -engine solve -certify "$TMP/none" litmus/vulkan/Cbar_quorum.litmus litmus/opencl/Inc3_dev.litmus litmus/ptx/MP_rel_acq.litmus \
  litmus/kernels/message_group.spvasm >/dev/null
litscope-certify "$TMP/none"
