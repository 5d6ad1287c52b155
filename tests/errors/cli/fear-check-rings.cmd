litscope cost fear-check -params rings=2
