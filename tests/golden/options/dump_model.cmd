litscope -dump model -model sc
