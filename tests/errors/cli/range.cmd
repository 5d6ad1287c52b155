litscope check -j 99999 litmus/rsp/WSQ1.litmus
