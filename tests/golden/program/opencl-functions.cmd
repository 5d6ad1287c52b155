litscope check -dump program tests/golden/program/opencl-functions.litmus
