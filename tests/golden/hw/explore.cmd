litscope explore -no-por -no-symmetry litmus/rsp/MP_dev.litmus litmus/rsp/MP_sys.litmus
