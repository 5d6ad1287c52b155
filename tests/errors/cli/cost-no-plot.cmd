litscope cost amo-lat -svg
