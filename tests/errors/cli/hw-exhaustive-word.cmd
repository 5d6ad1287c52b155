litscope verify -exhaustive 2x2,gaurded
