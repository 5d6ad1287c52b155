litscope verify -unroll 2 tests/golden/hw/loop-cut.litmus
# By default, as many rounds as it takes are tried, up to 16.
litscope verify tests/golden/hw/loop-cut.litmus
