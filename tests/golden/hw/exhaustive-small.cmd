litscope verify -exhaustive 2x1,guarded,devices=2
