litscope verify -mapping opencl-ptx litmus/ptx/MP_cta.litmus
