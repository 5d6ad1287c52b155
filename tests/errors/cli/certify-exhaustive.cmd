litscope verify -family 2x1 -certify "$TMP/c"
