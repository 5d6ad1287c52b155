# slow
litscope verify -exhaustive adsm
