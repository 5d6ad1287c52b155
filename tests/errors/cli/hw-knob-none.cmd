litscope verify -knob foo=1 litmus/opencl/Handshake.litmus
