litscope cost; litscope cost help
