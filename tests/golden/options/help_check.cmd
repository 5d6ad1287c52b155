litscope help check
