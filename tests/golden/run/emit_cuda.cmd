# The kernel, in cuda.
litscope run -emit cuda $TMP/o litmus/opencl/SB_rmw_sc_dev.litmus
sed -n '/litmus(value\|void litmus\|^void main\|^fn main/,$p' $TMP/o/kernel.cu
