litscope cost fear-rings -params W=5,k=3
