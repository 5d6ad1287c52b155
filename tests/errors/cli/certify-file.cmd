litscope-certify "$TMP/none.cert"
