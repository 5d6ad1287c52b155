litscope check -q tests/golden/litmus/ptx-division.litmus
