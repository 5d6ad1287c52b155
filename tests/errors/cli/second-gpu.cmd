litscope explore -machine gpu,gpu-serial litmus/rsp/WSQ1.litmus
