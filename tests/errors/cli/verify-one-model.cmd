litscope verify -model opencl,sc litmus/rsp/RSP_Test1.litmus
