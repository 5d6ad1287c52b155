litscope verify -mapping opencl-ptx litmus/adsm/A1.litmus
