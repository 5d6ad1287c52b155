litscope check -dump program tests/golden/program/control-flow.litmus
