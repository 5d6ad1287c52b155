{ echo "OpenCL Wide"; echo "{ [x]=0; }"; for i in 0 1 2 3 4 5 6 7 8 9; do echo "P$i (global atomic_int* x) {"; for j in 0 1 2 3 4 5 6 7; do echo "  int r$j = atomic_fetch_add(x, 1);"; done; echo "}"; done; echo "exists (x=99)"; } >$TMP/wide.litmus
litscope check -max-memory 1 $TMP/wide.litmus >/dev/null
