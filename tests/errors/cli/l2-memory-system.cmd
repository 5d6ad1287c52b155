litscope explore -knob l2=memory litmus/rsp/RSP_Test6.litmus
