litscope check -unroll two litmus/rsp/WSQ1.litmus
