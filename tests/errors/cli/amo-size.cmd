{
  echo 'C wide'
  echo '{ }'
  for p in $(seq 0 16); do echo "P$p (atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }"; done
  echo 'exists (x=1)'
} >"$TMP/wide.litmus"
litscope explore -machine amo "$TMP/wide.litmus"
