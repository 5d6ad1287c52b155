litscope verify tests/golden/hw/loop-cut.litmus
