litscope cost amo-lat amo-policy
