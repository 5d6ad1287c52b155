# The kernel, in hip.
litscope run -emit hip $TMP/o litmus/opencl/Barrier_local.litmus
sed -n '/litmus(value\|void litmus\|^void main\|^fn main/,$p' $TMP/o/kernel.hip
