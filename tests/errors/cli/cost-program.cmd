litscope cost fear-check -params program=1+a
