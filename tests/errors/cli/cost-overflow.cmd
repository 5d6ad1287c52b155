litscope cost rsp-steal -params n=99999999999999999999999
