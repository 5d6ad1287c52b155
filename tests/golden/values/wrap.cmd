# C's atomic operations wrap, also at an int's 32 bits; of plain sums nothing is defined.
cat >"$TMP/w.litmus" <<'L'
C W
{ x=2147483647; int y=-2147483648; long z=2147483647; }
P0 (atomic_int* x, atomic_int* y, atomic_long* z) {
  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);
  int r1 = atomic_fetch_sub_explicit(y, 2, memory_order_relaxed);
  long r2 = atomic_fetch_add_explicit(z, 2, memory_order_relaxed);
}
P1 (atomic_int* x) { int r0 = atomic_load_explicit(x, memory_order_relaxed); }
locations [x; y; z;]
forall (1:r0=0x80000000 \/ 1:r0=2147483647)
L
litscope check -q "$TMP/w.litmus" | grep '^1\|^Ok'
litscope check -q -certify "$TMP/c" "$TMP/w.litmus" >"$TMP/log" && litscope-certify "$TMP/c"
litscope explore -q "$TMP/w.litmus" | grep '^1\|^Ok'
# So they do where no number of the text is large, and products or shifts are.
for value in '1000000 * 1000000' 'k * k' '(k + 0) * k' '1 << 31'; do
  cat >"$TMP/p.litmus" <<L
C P
{}
P0 (atomic_int* x) { int k = 1000000; int r0 = atomic_fetch_add_explicit(x, $value, memory_order_relaxed); }
exists (x=-727379968)
L
  litscope check -q "$TMP/p.litmus" | grep '^\[x'
done
