litscope explore tests/golden/hw/amd_differences.litmus tests/golden/hw/amd_differences12.litmus
