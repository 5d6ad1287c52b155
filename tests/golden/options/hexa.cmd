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
# Without a sign, numbers have the digits of their type; constants those of an int, or of a longer one beside them.
cat >"$TMP/t.litmus" <<'L'
C T
{ int8_t a=-1; uint16_t b=65534; int c=-3; long d=-4; int16_t e[2]={-5,6}; char f=-6; }
P0 (int8_t* a, uint16_t* b, int* c, long* d, char* f) {
  int8_t r0 = *a; int r1 = *b; r2 = *c; long r3 = *d; int16_t r4 = *f;
}
locations [0:r0; 0:r1; 0:r2; 0:r3; 0:r4; b; d; e[0]; e[1]; f;]
exists (a=-1 /\ c=-3 /\ d=-4 /\ 0:r9=0)
L
litscope check -q -hexa true "$TMP/t.litmus" | grep '^0:\|^Cond'
litscope check -q "$TMP/t.litmus" >"$TMP/decimal.log"
litscope check -q -hexa true -expect "$TMP/decimal.log" "$TMP/t.litmus" | grep '^Obs'
# Of OpenCL, whose hash is of the program as it is printed.
for hexa in true false; do litscope explore -hexa $hexa litmus/opencl/CoRR_dev.litmus | grep 'Hash\|^1:'; done
# What has no sign in hexadecimal is read so; an int keeps it.
cat >"$TMP/u.litmus" <<'L'
C U
{ x=0xffffffff; uint32_t u=0xfffffffe; P0:r5=1; }
P0 (atomic_int* x, uint32_t* u) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed); uint32_t r1 = *u; int r2 = 0xffffff00; long r3 = 0xffffffff;
}
locations [0:r2; 0:r3;]
exists (0:r0=0xffffffff /\ 0:r1=0xfffffffe /\ u=0xfffffffe)
L
for hexa in true false; do litscope check -q -hexa $hexa "$TMP/u.litmus" | grep '^0:\|^Cond\|^Obs\|^Hash'; done
