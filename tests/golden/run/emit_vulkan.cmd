# The kernel, in vulkan.
litscope run -emit vulkan $TMP/o litmus/opencl/MP_fence_local_flags.litmus
sed -n '/litmus(value\|void litmus\|^void main\|^fn main/,$p' $TMP/o/kernel.comp
