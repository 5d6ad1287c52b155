litscope cost fear-timed -csv -params k=8,layout=lattice,B=3,u=2,E=20,Z=3,L2=11,LUT=5,M=40,ops=30,hop=2
