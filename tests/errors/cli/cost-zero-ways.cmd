litscope cost amo-policy -params l1ways=0
