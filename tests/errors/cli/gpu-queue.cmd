{ echo "OpenCL Lines"; echo "{ int a[40]; }"; echo "P0 (int *a) {"; for i in 0 1 2 3; do for j in 0 1 2 3 4 5 6 7 8 9; do echo "a[$((10 * i + j))] = 1;"; done; done; echo "}"; echo "exists (a[0]=1)"; } >$TMP/lines.litmus
litscope explore $TMP/lines.litmus
