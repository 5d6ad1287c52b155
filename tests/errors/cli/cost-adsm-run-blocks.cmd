litscope cost adsm -run -params B=65536,s=1073741824
