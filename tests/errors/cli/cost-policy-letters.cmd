litscope cost amo-programs -params near=NNX
