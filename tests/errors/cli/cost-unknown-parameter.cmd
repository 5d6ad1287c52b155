litscope cost amo-lat -params hopp=3
