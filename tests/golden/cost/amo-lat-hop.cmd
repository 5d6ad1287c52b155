litscope cost amo-lat -params hop=5,llc=17,buf=4,dir=3
