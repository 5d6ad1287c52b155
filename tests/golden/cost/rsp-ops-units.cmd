litscope cost rsp-ops -csv -params n=4,q=2,d=1,q0=6,d0=6,q3=9,l2=31,pop=2 -mapping rsp-revised
