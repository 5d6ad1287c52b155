litscope verify -family 9x9
