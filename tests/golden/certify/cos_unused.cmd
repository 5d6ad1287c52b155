# Executions are one, as for herd7, which only orders of writes tell apart at which the model does not look. A certificate
# has each of them: where some were merged there is none, and not one that is rejected.
cat >$TMP/two.litmus <<'END'
C two
{ x=0; }
P0 (atomic_int* x) {
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
  if (r1 == 2) {
    atomic_store_explicit(x, 1, memory_order_relaxed);
  }
  int r2 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);
}
exists (0:r1=2)
END
sed 's/^exists/locations [x;] exists/' $TMP/two.litmus >$TMP/last.litmus
printf '"two"\ninclude "cos.cat"\nacyclic rfe | ctrl as order\nacyclic (([W]; ctrl) | rfi) as inner\n' >$TMP/two.cat
litscope check -q -model $TMP/two.cat -certify $TMP/two.cert $TMP/last.litmus | grep Observation
litscope-certify $TMP/two.cert
sed -i /include/d $TMP/two.cat
litscope check -q -model $TMP/two.cat -certify $TMP/none.cert $TMP/two.litmus | grep Observation
