litscope check litmus/kernels/lock_vulkan.spvasm
