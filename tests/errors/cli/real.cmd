litscope check -timeout -1 litmus/rsp/WSQ1.litmus
