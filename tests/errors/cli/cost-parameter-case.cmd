litscope cost fear-timed -params lUt=3
