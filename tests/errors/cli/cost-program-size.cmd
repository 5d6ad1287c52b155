litscope cost fear-check -params program=9+1
