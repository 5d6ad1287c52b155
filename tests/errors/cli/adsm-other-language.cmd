litscope cost adsm litmus/rsp/RSP_Test1.litmus
