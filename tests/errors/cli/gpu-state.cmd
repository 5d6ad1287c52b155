{ echo "OpenCL Large"; echo "{ int a[256]; int b[256]; int c[256]; }"; echo "P0 (int *a, int *b, int *c) { a[0] = 1000000007; b[0] = 1; c[0] = 1; }"; echo "exists (a[0]=1)"; } >$TMP/large.litmus
litscope explore $TMP/large.litmus
