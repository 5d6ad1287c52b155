litscope cost rsp-ops -params n=4,q=1,q5=2
