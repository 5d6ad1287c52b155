litscope check -expect nothing litmus/rsp
