litscope explore -machine gqu tests/errors/carrier.litmus
