# Tests in another language; what is written reads back, and shows what the source shows where the mapping is exact.
litscope compile -mapping opencl-ptx,opencl-vulkan litmus/c11/SB_rel_acq.litmus litmus/opencl/MP_local.litmus
litscope compile -mapping opencl-ptx tests/golden/translate/everything.litmus
litscope compile -mapping opencl-ptx -o $TMP/out litmus/c11/SB_sc.litmus litmus/opencl/Inc3_dev.litmus
ls $TMP/out
litscope check $TMP/out | grep -E '^(Test|Observation)'
