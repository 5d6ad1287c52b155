litscope cost adsm -params lambda=3
