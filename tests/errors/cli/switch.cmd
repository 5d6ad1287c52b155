litscope check -why=yes litmus/rsp/WSQ1.litmus
