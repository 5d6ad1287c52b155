litscope verify -exhaustive 2x1 -certify "$TMP/c"
