# A spin lock needs its holder to go on; a flag, whoever sets it; a barrier that
# nobody else comes to stops everybody.
litscope progress tests/golden/progress/lock.litmus tests/golden/progress/wait.litmus litmus/opencl/Barrier_diverges.litmus
litscope progress -scheduler fair,hsa litmus/ptx/Barrier_quorum_hang.litmus litmus/ptx/Barrier_arrive.litmus litmus/vulkan/Cbar.litmus
