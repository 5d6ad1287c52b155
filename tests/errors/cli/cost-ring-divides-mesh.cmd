litscope cost fear-rings -params k=5
