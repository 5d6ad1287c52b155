litscope cost rsp-steal -csv -params h=2,f=150,nT=20,C=300,W=6,S=12,Dd=5,n=5,F=8,l2=40
