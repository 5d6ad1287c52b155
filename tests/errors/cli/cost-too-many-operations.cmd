litscope cost fear-timed -params W=32,k=4,ops=100000
