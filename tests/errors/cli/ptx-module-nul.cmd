printf '.version 9.0\n\0' > "$TMP/k.ptx" && litscope check "$TMP/k.ptx"
