litscope cost rsp-ops -params q=65
