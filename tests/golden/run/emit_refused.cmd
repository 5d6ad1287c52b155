# What a language has no words for.
litscope run -q -emit webgpu $TMP/o litmus/c11/SB_rel_acq.litmus
litscope run -q -emit webgpu $TMP/o litmus/c11/SB_fences_sc.litmus
litscope run -q -emit webgpu $TMP/o tests/golden/run/tests/cas.litmus
sed 's/=5000000000/=5/; s/acq_rel\|seq_cst/relaxed/' tests/golden/run/tests/cas.litmus >$TMP/shifts.litmus
litscope run -q -emit webgpu $TMP/o $TMP/shifts.litmus
litscope run -q -emit vulkan $TMP/o $TMP/shifts.litmus
rm $TMP/shifts.litmus
litscope run -q -emit vulkan $TMP/o litmus/c11/SB_sc.litmus
litscope run -q -emit vulkan $TMP/o tests/golden/run/tests/cas.litmus
litscope run -q -emit cuda $TMP/o litmus/rsp/RSP_Test2.litmus
litscope run -q -emit cuda litmus/c11/SB_sc.litmus
ls $TMP
# More threads in a work-group than the language's work-groups have room for, or with so many lanes; 32 lanes of nine
# would be too many, too, where nobody chose them.
for n in 9 300 1025; do
  { echo "OpenCL Crowd$n { x=0; }"
    seq -f 'P%.0f@wg 0,dev 0 (global atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device); }' 0 $((n - 1))
    echo "exists (x=0)"; } >$TMP/$n.litmus
done
litscope run -q -emit webgpu $TMP/nine $TMP/9.litmus && grep workgroup_size $TMP/nine/kernel.wgsl
litscope run -q -emit webgpu -params lanes=64 $TMP/o $TMP/9.litmus
litscope run -q -emit webgpu $TMP/o $TMP/300.litmus
litscope run -q -emit cuda $TMP/o $TMP/1025.litmus
