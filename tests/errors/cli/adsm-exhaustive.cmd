litscope verify -family adsm,0
