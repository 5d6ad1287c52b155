# A limit on memory is one on the solver's formula too, met while that is written.
perl -e 'print "C Many\n{ [x]=0; }\n";
for my $t (0 .. 2) {
  print "P$t (atomic_int *x) {\n", (map { "  atomic_store_explicit(x, " . (80 * $t + $_) .
    ", memory_order_relaxed);\n  int r$_ = atomic_load_explicit(x, memory_order_relaxed);\n" } 1 .. 80), "}\n";
}
print "exists (0:r1=241)\n"' >"$TMP/many.litmus"
litscope check -engine solve -max-memory 30 "$TMP/many.litmus" 2>&1 | grep -v '^Time'
