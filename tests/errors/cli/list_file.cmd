litscope check -names nothing litmus/rsp
