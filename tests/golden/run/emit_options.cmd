# -emit runs nothing: options of runs mean nothing with it; and a folder that holds another test stays.
litscope run -emit opencl -json "$TMP/j.json" -junit "$TMP/j.xml" -tune 1 -devices "$TMP/d" litmus/c11/SB_sc.litmus
echo "status $?"
ls "$TMP"
litscope run -q -emit opencl "$TMP/d" litmus/c11/SB_sc.litmus
litscope run -q -emit opencl "$TMP/d" litmus/c11/CoRR.litmus
echo "status $?"
cmp litmus/c11/SB_sc.litmus "$TMP/d/test.litmus"
litscope run -q -emit cuda -mutate relaxed "$TMP/d" litmus/c11/SB_sc.litmus && ls "$TMP/d/main.cu"
# A test that is named alone is written to the folder itself, a kernel too, and several to folders in it.
litscope run -q -emit opencl "$TMP/kernel" litmus/kernels/message_device.spvasm && ls "$TMP/kernel/test.litmus"
litscope run -q -emit opencl "$TMP/two" litmus/kernels/message_device.spvasm litmus/c11/SB_sc.litmus
litscope run -q -emit hip "$TMP/p" litmus/ptx/SB_fence_sc.litmus litmus/vulkan/Add_add.litmus
