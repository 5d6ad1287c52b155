litscope cost fear-check -params program=8+8+8+8
