litscope check -model
