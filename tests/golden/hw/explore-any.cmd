litscope explore -write-back any -knob l2=modelled litmus/rsp/WWW_remote_load.litmus
