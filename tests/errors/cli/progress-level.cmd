litscope progress -scheduler wg=obee,dev=fair litmus/opencl/Barrier_both.litmus
