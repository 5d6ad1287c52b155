litscope verify -family , 
