litscope check -hexa true tests/golden/values/ptx_floats.litmus
