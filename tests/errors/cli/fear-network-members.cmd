litscope cost fear-network -params program=xy+yx,K=2
