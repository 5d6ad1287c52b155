{ echo "OpenCL crowd"; echo "{ [x]=0; }"; for i in $(seq 0 79); do echo "P$i (global atomic_int* x) { atomic_fetch_add_explicit(x, 1, memory_order_relaxed, memory_scope_device); }"; done; echo "exists (x=80)"; } > $TMP/crowd.litmus
litscope explore $TMP/crowd.litmus
