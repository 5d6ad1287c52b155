litscope cost amo-lat -params R=5,hop=2 | head -4
