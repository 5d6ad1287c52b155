litscope verify -max-states 10 litmus/rsp/MP_dev.litmus
