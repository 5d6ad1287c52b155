litscope cost adsm
