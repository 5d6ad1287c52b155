litscope cost rsp-ops -params q=3,d=5
