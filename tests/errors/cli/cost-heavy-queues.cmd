litscope cost rsp-steal -params h=9
