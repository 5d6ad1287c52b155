# The kernel, in opencl.
litscope run -emit opencl $TMP/o litmus/opencl/SB_fence_sc_dev.litmus
sed -n '/litmus(value\|void litmus\|^void main\|^fn main/,$p' $TMP/o/kernel.cl
