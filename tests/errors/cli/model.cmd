litscope check -model opencl-rps litmus/rsp/WSQ1.litmus
