litscope list mappings all
