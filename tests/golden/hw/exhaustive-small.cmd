litscope verify -family 2x1,guarded,devices=2
