# -restrict and -outcomereads, as herd7's.
cat >"$TMP/r.litmus" <<'L'
C R
{ x=0; y=0; z=0; }
P0 (atomic_int* x, atomic_int* y, int* z) {
  int r0 = atomic_load_explicit(x, memory_order_acquire);
  int r1 = r0 + 1;
  uint8_t r2 = *z + 1;
  if (r0 == 1) int r3 = atomic_load_explicit(y, memory_order_relaxed);
  else r3 = 5;
  int r4 = atomic_fetch_add_explicit(y, 1, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) { atomic_store_explicit(x, 1, memory_order_release); if (*y == 7) int r9 = *y; }
exists (0:r1=2)
L
for restrict in observed nonambiguous condone none; do
  echo "$restrict"
  litscope check -q -restrict $restrict "$TMP/r.litmus" litmus/c11/SB_sc.litmus litmus/c11/Inc2.litmus litmus/c11/2+2W_sc.litmus |
    grep '^Obs\|^States'
done
litscope check -q -outcomereads true "$TMP/r.litmus" | grep '^States\|^[01]:\|^Hash'
litscope check -q "$TMP/r.litmus" | grep '^Hash'
# A limit that the search for those registers meets is told, and both searches share -timeout.
litscope check -q -outcomereads true -max-events 8 "$TMP/r.litmus" 2>&1 | grep 'limit\|^[01]:\|met\|^Obs'
litscope check -q -outcomereads true -timeout 1000000 "$TMP/r.litmus" | grep '^States'
# The last read into a register that is looked at counts; of a loop, the last round's.
cat >"$TMP/s.litmus" <<'L'
C S
{ x=0; }
P0 (atomic_int* x, int8_t* e) {
  int8_t r0 = atomic_load_explicit(x, memory_order_relaxed);
  int r1 = atomic_compare_exchange_strong_explicit(x, e, 1, memory_order_relaxed, memory_order_relaxed);
}
P1 (atomic_int* x) { int r0 = 0; while (r0 == 0) r0 = atomic_load_explicit(x, memory_order_relaxed); }
exists (0:r0=0 /\ 0:r1=1 /\ 1:r0=1)
L
litscope check -q -restrict observed "$TMP/s.litmus" | grep '^Obs'
litscope check -q -restrict observed -show all -o "$TMP/o" "$TMP/s.litmus" | grep -c Obs; ls "$TMP/o" | wc -l
litscope check -q -rounds all "$TMP/s.litmus" | grep '^Obs'
