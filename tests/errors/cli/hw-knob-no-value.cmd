litscope explore -knob write-back tests/errors/carrier.litmus
