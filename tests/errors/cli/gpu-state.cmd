{ echo "OpenCL Large"; echo "{ int a[256]; int b[256]; int c[256]; int d[256]; }"; for i in 0 1 2 3 4 5 6 7; do echo "P$i (int *a, int *b, int *c, int *d) { a[$i] = 1000000007; b[0] = 1; c[0] = 1; d[0] = 1; int r = a[1]; }"; done; echo "exists (a[0]=1)"; } >$TMP/large.litmus
litscope explore $TMP/large.litmus
