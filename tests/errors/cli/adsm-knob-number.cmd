litscope verify -machine rolling -knob block=x litmus/adsm/A1.litmus
