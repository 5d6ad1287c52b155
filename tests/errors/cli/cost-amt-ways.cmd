litscope cost amo-policy -params amt=10
