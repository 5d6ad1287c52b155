litscope mappings all
