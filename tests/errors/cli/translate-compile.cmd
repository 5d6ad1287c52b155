litscope compile -mapping opencl-ptx litmus/c11/SB_sc.litmus
