litscope progress -model ptx litmus/ptx/Spin.litmus litmus/ptx/Barrier_quorum_hang.litmus litmus/ptx/Barrier_circle.litmus
litscope progress -model ptx litmus/ptx/Barrier_arrive.litmus litmus/ptx/Barrier_branch.litmus litmus/ptx/Barrier_quorum_all.litmus
litscope progress -model opencl-rsp tests/golden/progress/wait.litmus tests/golden/progress/counter.litmus
