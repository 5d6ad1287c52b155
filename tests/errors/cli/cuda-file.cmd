printf '#include <cuda/atomic>\n' > "$TMP/k.cu" && litscope check "$TMP/k.cu"
