litscope cost rsp-ops -csv -params n=3,q2=7 | sed 10q
