litscope cost amo-policy -csv
