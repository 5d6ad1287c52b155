litscope explore tests/golden/hw/amd_products.litmus
