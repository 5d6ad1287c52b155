litscope check -dump program tests/golden/program/hsa-words.litmus
