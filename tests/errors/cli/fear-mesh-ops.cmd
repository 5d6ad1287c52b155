litscope cost fear-mesh -params ops=100000,W=16,k=4
