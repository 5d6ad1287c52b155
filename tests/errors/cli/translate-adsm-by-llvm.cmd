litscope verify -target sm_70 litmus/adsm/A1.litmus
