# A loop of a kernel is followed to its end without a certificate, and up to -unroll with one.
litscope check -q litmus/kernels/lock_vulkan.spvasm | grep -E '^(Loop|Ok|Observation)'
litscope check -q -certify $TMP/certificate litmus/kernels/lock_vulkan.spvasm | grep -E '^(Loop|Ok|Observation)'
litscope-certify $TMP/certificate
