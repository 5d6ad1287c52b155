litscope check tests/golden/litmus/unset-registers.litmus
