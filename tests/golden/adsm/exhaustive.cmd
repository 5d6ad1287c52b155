litscope verify -exhaustive adsm
