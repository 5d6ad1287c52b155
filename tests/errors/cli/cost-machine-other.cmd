litscope cost amo-lat -machine timing-rsp
