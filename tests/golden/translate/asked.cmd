# check -mapping to a language: the test translated, and that language's model, or -model, asked about it.
litscope check -mapping opencl-ptx,opencl-vulkan -v litmus/c11/MP_rel_acq.litmus litmus/opencl/SB_sc_dev.litmus 2>/dev/null | grep -E '^(Test|Observation)'
litscope check -q -json - -mapping opencl-ptx litmus/opencl/SB_sc_dev.litmus | grep -o '"model": "[a-z0-9.-]*"'
litscope check -q -model ptx-v6.0,sc -mapping opencl-ptx litmus/opencl/SB_sc_dev.litmus | sed -n '/^Verdicts/,$p'
litscope check -q -model opencl -mapping opencl-ptx litmus/opencl/SB_sc_dev.litmus
echo $?
litscope check -q -mapping opencl-ptx litmus/adsm/A1.litmus litmus/opencl/SB_sc_dev.litmus | grep Observation
