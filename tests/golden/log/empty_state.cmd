cat >$TMP/nothing.litmus <<EOF
OpenCL Nothing
{ [x]=0; }
P0 (global atomic_int* x) { atomic_store(x, 1); }
exists ()
EOF
litscope check $TMP/nothing.litmus
