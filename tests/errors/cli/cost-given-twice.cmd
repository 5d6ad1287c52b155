litscope cost amo-lat -params hop=2,hop=3
