litscope cost mapping -mapping rsp-original,rsp-revised,rsp-corrected litmus/rsp/RSP_Test1.litmus litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test3.litmus litmus/rsp/RSP_Test11.litmus
