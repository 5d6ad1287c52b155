litscope compile -mapping opencl-vulkan litmus/c11/SB_sc.litmus tests/golden/translate/everything.litmus
