litscope verify -mapping opencl-ptx -target-model nosuch litmus/c11/SB_sc.litmus
