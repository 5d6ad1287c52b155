litscope cost fear-timed -params layout=lattice,k=8,a=3
