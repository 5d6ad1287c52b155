litscope verify -family 2x2,gaurded
