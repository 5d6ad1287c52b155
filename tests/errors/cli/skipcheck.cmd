litscope check -skipcheck coherance litmus/rsp/WSQ1.litmus
