litscope cost adsm -run -params s=1000000
