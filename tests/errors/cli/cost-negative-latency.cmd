litscope cost rsp-ops -params l2=-3
