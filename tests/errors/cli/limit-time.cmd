# slow
{ echo "OpenCL Long"; echo "{ [x]=0; }"; for i in 0 1 2 3 4 5 6 7 8 9; do echo "P$i (global atomic_int* x) { int r = atomic_fetch_add(x, $i); }"; done; echo "exists (x=99)"; } >$TMP/long.litmus
litscope check -timeout 0.2 $TMP/long.litmus >/dev/null
