litscope models all
