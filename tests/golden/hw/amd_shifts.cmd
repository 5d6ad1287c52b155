litscope explore tests/golden/hw/amd_shifts.litmus
