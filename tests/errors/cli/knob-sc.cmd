litscope explore -machine sc -knob write-back=any litmus/rsp/RSP_Test2.litmus
