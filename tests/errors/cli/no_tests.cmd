litscope check
