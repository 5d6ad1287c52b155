# energy of kernels under three policies: with sets, and without
litscope cost amo-energy -params size=512,n=8
litscope cost amo-energy -params kernel=histogram,n=4,size=512
