litscope cost fear-check -params program=1+1+1+1+1+1+1
