litscope verify -target gfx90a -strict litmus/opencl/CoRR_dev.litmus
