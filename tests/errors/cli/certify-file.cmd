litscope-certify "$TMP/none.cert" /dev/zero
