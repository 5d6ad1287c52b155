litscope cost rsp-ops -params n=3,q=5,d=2 -mapping rsp-corrected,rsp-write-through
