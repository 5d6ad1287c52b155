litscope verify -machine timing-amo litmus/opencl/Handshake.litmus
