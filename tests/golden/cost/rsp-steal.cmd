litscope cost rsp-steal -csv
