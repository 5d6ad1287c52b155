# slow
# 10,000 branches cost a message, not the stack, which is small here.
ulimit -s 1024
perl -e 'print "OpenCL many\n{ [x]=0; }\nP0 (global atomic_int* x) {\n  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n",
  "  if (r0 == 1) { *x = 1; }\n" x 10000, "}\nexists (0:r0=1)\n"' >$TMP/t.litmus
litscope cost mapping -max-states 100 $TMP/t.litmus | tr -s ' '
