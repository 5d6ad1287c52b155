# plain
# A solver that memory is too little for has no answer: executions are counted after all.
perl -e 'print "C Wide\n{ x=0; y=0; z=0; }\n";
for my $p (0, 1) {
  print "P$p (atomic_int* x, atomic_int* y) {\n", (map { "  atomic_store_explicit(x, $p$_, memory_order_relaxed);\n" .
    "  int r$_ = atomic_load_explicit(y, memory_order_relaxed);\n  atomic_store_explicit(y, $p$_, memory_order_relaxed);\n" }
    1 .. 3), "}\n";
}
print "P2 (atomic_int* z) {\n", (map { "  atomic_store_explicit(z, $_, memory_order_relaxed);\n" } 1 .. 170), "}\n";
print "exists (x=1)\n"' >"$TMP/wide.litmus"
for memory in 5 500; do litscope check -q -max-memory $memory "$TMP/wide.litmus" | grep -E '^(Solved|Observation)'; done
# Nor where the process itself has no more.
(
  ulimit -v 90000
  litscope check -q -j 1 "$TMP/wide.litmus"
) | grep -E '^(Solved|Observation)'
