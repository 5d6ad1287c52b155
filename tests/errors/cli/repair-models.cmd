# One model judges.
litscope repair -model opencl,opencl-rsp tests/golden/repair/handshake.litmus
