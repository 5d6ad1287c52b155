litscope check -modle sc litmus/rsp/WSQ1.litmus
