# slow
tests/certify/refused "$(command -v litscope-certify)" "$TMP"
