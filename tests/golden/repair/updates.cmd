# A load and a store of what is made of it become one operation.
litscope repair tests/golden/repair/increments.litmus tests/golden/repair/counts.litmus \
  tests/golden/repair/takers.litmus tests/golden/repair/narrow.litmus 2>/dev/null |
  awk '/^Repair/ { shown = 1 } /^Not enough/ { shown = 0 } shown'
# A read-modify-write in place of the first load would race with the last one, which may stay as it is.
litscope repair tests/golden/repair/apart.litmus | awk '/^Not/ { exit } /^(Repair|  P)/'
# In the text of SPIR-V it stands behind what its operand comes of.
litscope repair tests/golden/repair/sums.spvasm | awk '/^Not enough/ { exit } 1'
