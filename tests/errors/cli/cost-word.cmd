litscope cost amo-policy -params pattern=mutx2
