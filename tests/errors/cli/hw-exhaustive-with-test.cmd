litscope verify -family 2x2 tests/errors/carrier.litmus
