litscope verify -exhaustive adsm,0
