# slow
# The reason of a violation ends, however many candidates there are.
{
  echo 'OpenCL many { [x]=0; [y]=0; [z]=0; }'
  echo 'P0 (global int* x, global atomic_int* y, global atomic_int* z) {'
  for i in 1 2 3 4 5 6 7 8; do echo "  atomic_store_explicit(z, $i, memory_order_relaxed, memory_scope_device);"; done
  echo '  *x = 1;'
  echo '  atomic_store_explicit(y, 1, memory_order_release, memory_scope_device);'
  echo '}'
  echo 'P1 (global int* x, global atomic_int* y, global atomic_int* z) {'
  echo '  int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);'
  echo '  if (r0 == 1) { int r1 = *x; }'
  for i in 1 2 3 4 5 6 7 8; do echo "  int s$i = atomic_load_explicit(z, memory_order_relaxed, memory_scope_device);"; done
  echo '}'
  echo 'scopeTree (device (work_group P0) (work_group P1))'
  echo 'exists (1:r0=1 /\ 1:r1=0)'
} >$TMP/many.litmus
litscope verify -mapping tests/mappings/cells/original-dev-load.xml $TMP/many.litmus 2>$TMP/warnings | grep -e Verify -e Why -e looked
