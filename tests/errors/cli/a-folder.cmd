litscope check -names litmus litmus/rsp
