# A program of which no run ends has no states, and a command that shows why; one step is no steps.
cat >"$TMP/never.litmus" <<'L'
C never
{ [x]=0; }
P0 (atomic_int* x) {
  int r0 = 0;
  while (r0 == 0) { r0 = atomic_load_explicit(x, memory_order_relaxed); }
}
exists (0:r0=1)
L
litscope explore -machine sc "$TMP/never.litmus" | grep '^States\|^Observation'
litscope progress -scheduler fair "$TMP/never.litmus"
cat >"$TMP/one.litmus" <<'L'
C one
{ [x]=0; }
P0 (atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }
exists ([x]=1)
L
litscope explore -machine sc -show prop "$TMP/one.litmus" | grep '^Run'
