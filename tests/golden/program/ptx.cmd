litscope check -dump program tests/golden/program/ptx.litmus
