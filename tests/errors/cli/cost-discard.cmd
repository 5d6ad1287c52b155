litscope cost fear-check -params discard=tag
