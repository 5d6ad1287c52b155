litscope check -o '' litmus/rsp/WSQ1.litmus
