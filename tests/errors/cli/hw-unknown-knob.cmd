litscope explore -knob write-bak=any tests/errors/carrier.litmus
