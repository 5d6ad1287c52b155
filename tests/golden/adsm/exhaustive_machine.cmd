litscope verify -family adsm,3 -machine lazy,rolling -knob block=2
