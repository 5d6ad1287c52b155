litscope cost amo-lat -params hop=2x,llc=,buf
