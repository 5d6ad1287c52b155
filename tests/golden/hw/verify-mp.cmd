litscope verify -mapping rsp-original litmus/rsp/MP_dev.litmus
