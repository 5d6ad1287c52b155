litscope explore -machine amo litmus/opencl/Barrier_both.litmus
