litscope cost fear-network -params program=1+1,W=3,K=2
