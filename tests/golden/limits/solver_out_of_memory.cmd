# plain
# Where memory runs out within the solver, the test has no answer, and the next one has.
perl -e 'print "C Long\n{ z=0; }\nP0 (atomic_int* z) {\n", (map { "  atomic_store_explicit(z, $_, memory_order_relaxed);\n" } 1 .. 300),
  "}\nexists (z=1)\n"' >"$TMP/long.litmus"
ulimit -v 400000
litscope check -q -j 1 -engine solve "$TMP/long.litmus" litmus/c11/SB_sc.litmus | grep -v '^Time'
