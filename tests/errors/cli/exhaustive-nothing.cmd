litscope verify -exhaustive , 
