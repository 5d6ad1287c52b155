# A barrier without flags is one, and orders nothing.
litscope check litmus/opencl/Barrier_no_flags.litmus
