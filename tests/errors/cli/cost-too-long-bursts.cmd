litscope cost amo-policy -params pattern=burst,R=100000,b=1000
