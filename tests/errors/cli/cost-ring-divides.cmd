litscope cost fear-timed -params k=5
