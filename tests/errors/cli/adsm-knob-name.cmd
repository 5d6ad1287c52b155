litscope verify -machine rolling -knob blocks=1 litmus/adsm/A1.litmus
