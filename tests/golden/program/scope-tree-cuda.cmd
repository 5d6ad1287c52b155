litscope check -dump program tests/golden/program/scope-tree-cuda.litmus
