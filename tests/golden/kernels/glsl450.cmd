# The lock of lock_vulkan.spvasm in a module with GLSL's own memory model: what is Coherent is shared and available, an
# order SequentiallyConsistent is AcquireRelease, and one without order has no storage classes.
model() {
  sed '/VulkanMemoryModel/d; s/Logical Vulkan/Logical GLSL450/; s/ NonPrivatePointer//; s/0x4042/'"$1/; s/0x2044/$2/;
    s/^ *%void = /$3\n&/" litmus/kernels/lock_vulkan.spvasm >$TMP/lock.spvasm
  litscope check $TMP/lock.spvasm | grep -vE '^(Time|Hash|Positive|Bad)'
}
model 0x42 0x44 'OpDecorate %counter Coherent'
model 0x50 0x50 'OpDecorate %counter Coherent'
model 0x40 0x40 'OpDecorate %counter Coherent'
model 0x42 0x44 ''
# Declarations say what is shared, so an ordinary access can only be made atomic.
litscope repair $TMP/lock.spvasm | sed -n '1,/^---/p'
