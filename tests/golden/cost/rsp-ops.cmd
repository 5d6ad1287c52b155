litscope cost rsp-ops -csv
