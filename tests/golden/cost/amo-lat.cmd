litscope cost amo-lat -csv
