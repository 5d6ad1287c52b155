# What a language has no words for.
litscope run -q -emit webgpu $TMP/o litmus/c11/SB_rel_acq.litmus
litscope run -q -emit webgpu $TMP/o litmus/c11/SB_fences_sc.litmus
litscope run -q -emit webgpu $TMP/o tests/golden/run/tests/cas.litmus
litscope run -q -emit vulkan $TMP/o litmus/c11/SB_sc.litmus
litscope run -q -emit vulkan $TMP/o tests/golden/run/tests/cas.litmus
litscope run -q -emit cuda $TMP/o litmus/rsp/RSP_Test2.litmus
litscope run -q -emit cuda litmus/c11/SB_sc.litmus
ls $TMP
