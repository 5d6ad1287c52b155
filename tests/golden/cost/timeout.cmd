# slow
# A limit leaves rows out, never wrong ones in.
litscope cost rsp-steal -csv -timeout 0.2 -params n=256,nT=100000,h=256,f=10000,C=1,W=0,S=0,Dd=1
