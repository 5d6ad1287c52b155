litscope verify -family adsm,2 -ablate -strict
