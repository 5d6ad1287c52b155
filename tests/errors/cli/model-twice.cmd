litscope check -model sc,hrf-rsp,sc litmus/rsp
