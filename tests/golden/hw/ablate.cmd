# slow
litscope verify -ablate -j 2
