litscope check -model -why litmus/rsp/WSQ1.litmus
