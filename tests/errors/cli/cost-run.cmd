litscope cost amo-lat -run
