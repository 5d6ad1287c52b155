litscope verify -ablate -machine sc
