litscope verify -exhaustive 2x2 tests/errors/carrier.litmus
