# What commands and options were once called still works, and says what it is called now.
litscope models opencl-rsp | head -1
litscope machines sc | head -1
litscope mappings | grep opencl-ptx
litscope targets sm_90 | cut -f1
litscope translate -mapping opencl-ptx litmus/c11/SB_sc.litmus | head -1
litscope gen -model sc -family 2x1
litscope verify -exhaustive 2x1 | tail -1
litscope list | grep -x '[a-z]*:'
litscope list machine
litscope list mappings opencl-ptx
litscope help translate | head -1
litscope gen
