litscope check -o /proc/x litmus/rsp/WSQ1.litmus
