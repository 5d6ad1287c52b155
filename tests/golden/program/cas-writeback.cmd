litscope check -dump program -variant cas-writeback tests/golden/program/opencl-functions.litmus
