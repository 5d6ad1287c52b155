litscope explore -knob write-back=lifo tests/errors/carrier.litmus
