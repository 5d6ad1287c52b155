litscope explore -knob l2=memory litmus/rsp/MP_sys.litmus
