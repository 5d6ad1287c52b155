# The kernel, in webgpu.
litscope run -emit webgpu $TMP/o litmus/opencl/LB_relaxed.litmus
sed -n '/litmus(value\|void litmus\|^void main\|^fn main/,$p' $TMP/o/kernel.wgsl
