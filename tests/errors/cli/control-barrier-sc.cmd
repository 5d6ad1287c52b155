litscope explore -machine sc tests/errors/control-barrier.litmus
