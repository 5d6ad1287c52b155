litscope verify -strict -machine lazy litmus/adsm/A1.litmus
