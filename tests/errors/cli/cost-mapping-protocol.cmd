litscope cost mapping -mapping lazy litmus/rsp/RSP_Test1.litmus
