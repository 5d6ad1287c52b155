# plain: the solver's engine goes through the same code in tests of a few threads
# A compare-and-swap to which branches lead that have read different cells is one event of the solver's, although each
# branch swaps in what it has read: four threads that append to a queue are told it in 60 MiB, not in 200.
perl -e 'print "C Appends\n{ atomic_int next[5]; [tail]=0; }\n";
for my $t (1 .. 4) {
  print "P", $t - 1, " (atomic_int *next, atomic_int *tail) {
    int done = 0;
    while (done == 0) {
      int last = atomic_load_explicit(tail, memory_order_acquire);
      int none = 0, old = last;
      done = atomic_compare_exchange_strong_explicit(next + last, &none, $t, memory_order_release, memory_order_acquire);
      int further = (done == 0) ? none : $t;
      int moved = atomic_compare_exchange_strong_explicit(tail, &old, further, memory_order_release, memory_order_relaxed);
    }
  }\n";
}
print "exists (tail=0)\n"' >"$TMP/appends.litmus"
litscope check -q -engine solve -max-memory 60 "$TMP/appends.litmus" | grep -v ^Time
