litscope check -model , litmus/rsp
