litscope verify -exhaustive 9x9
