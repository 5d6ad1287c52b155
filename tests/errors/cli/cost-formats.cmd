litscope cost amo-lat -csv -json
