# Values in hexadecimal, in logs, conditions and pictures; the hash is the same.
cat >"$TMP/h.litmus" <<'L'
C H
{ [x]=0; [y]=-3; }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 255, memory_order_release);
  int r0 = atomic_load_explicit(y, memory_order_acquire);
}
exists (0:r0=-3 /\ x=255)
L
litscope check -hexa true -candidates true -o "$TMP/o" "$TMP/h.litmus" >"$TMP/hexa.log"
cat "$TMP/hexa.log"
grep -o 'label="[RW][^"]*"' "$TMP/o/H-rc11-0.dot"
litscope check "$TMP/h.litmus" >"$TMP/decimal.log"
litscope compare "$TMP/hexa.log" "$TMP/decimal.log"
litscope check -hexa true -expect "$TMP/decimal.log" "$TMP/h.litmus" | sed -n 's/^Hash/&/p'
# Of OpenCL, whose hash is of the program as it is printed.
for hexa in true false; do litscope explore -hexa $hexa litmus/opencl/CoRR_dev.litmus | grep 'Hash\|^1:'; done
