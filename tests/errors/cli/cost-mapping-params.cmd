litscope explore -cost -params q=99 litmus/rsp/RSP_Test1.litmus
