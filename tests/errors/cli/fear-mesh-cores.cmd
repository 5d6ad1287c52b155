litscope cost fear-mesh -params W=2,mems=4
