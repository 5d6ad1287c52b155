litscope cost rsp-steal -csv -params nT=24 -mapping rsp-corrected,rsp-short-lock,rsp-write-through
