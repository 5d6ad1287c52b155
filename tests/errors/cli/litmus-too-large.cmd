head -c 1048577 /dev/zero | tr '\0' ' ' > "$TMP/large.litmus"; litscope check "$TMP/large.litmus"
