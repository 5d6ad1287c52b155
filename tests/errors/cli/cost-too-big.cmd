litscope cost rsp-steal -params C=4611686018427387904
