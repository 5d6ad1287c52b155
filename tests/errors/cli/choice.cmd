litscope check -show prp litmus/rsp/WSQ1.litmus
