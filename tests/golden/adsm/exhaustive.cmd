# slow
litscope verify -family adsm
