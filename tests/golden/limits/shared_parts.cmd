# plain: what is computed is used twice, 20 times over
# A value of which each step takes the last one twice is 2^20 operands and 40 operations, for the solver as well as for the
# search, which looks for the reads that a branch turns on.
perl -e 'print "C Hash\n{ [x]=1; [y]=0; }\nP0 (atomic_int *x, atomic_int *y) {
  int a0 = atomic_load_explicit(x, memory_order_relaxed);\n", (map {
    my $last = $_ - 1; "  int a$_ = a$last ^ (a$last + 3);\n" } 1 .. 20), "  atomic_store_explicit(y, a20, memory_order_relaxed);
  if (a20 == 7) { atomic_store_explicit(x, 2, memory_order_relaxed); }
}
P1 (atomic_int *x, atomic_int *y) {
  int r = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, r, memory_order_relaxed);
}
exists (1:r=7)\n"' >"$TMP/hash.litmus"
(ulimit -s 1024 && litscope check -q -j 1 -engine enumerate "$TMP/hash.litmus") | grep -v ^Time
litscope check -q -engine solve -max-memory 60 "$TMP/hash.litmus" | grep -v ^Time
