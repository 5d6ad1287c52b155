cat >$TMP/spin.litmus <<EOF
OpenCL Spin
{ [x]=0; }
P0 (global atomic_int* x) { while (atomic_load(x) == 0) { } }
P1 (global atomic_int* x) { atomic_store(x, 1); }
exists (x=1)
EOF
litscope check -unroll 1 $TMP/spin.litmus
