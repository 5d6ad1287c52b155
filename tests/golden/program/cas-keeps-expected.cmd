litscope check -dump program -variant cas-keeps-expected tests/golden/program/opencl-functions.litmus
