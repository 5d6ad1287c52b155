litscope help
