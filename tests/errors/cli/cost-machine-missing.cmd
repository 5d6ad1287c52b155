litscope cost amo-lat -machine timing-amoo
