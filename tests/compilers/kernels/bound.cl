// A loop whose bound another work-item may have written; nothing is asked of `done`
// @Input: %n = {0}
// @Input: %x = {0}
// @Input: %done = {0}
// @Output: forall (%x[0] >= 0)
// @Config: 1, 1, 2
kernel void bound(global atomic_int *n, global int *x, global int *done) {
  if (get_global_id(0) == 0) {
    int s = 0, m = atomic_load_explicit(n, memory_order_relaxed, memory_scope_device);
    for (int i = 0; i < m; i++) s += i + 1;
    *x = s;
    *done = 1;
  } else {
    atomic_store_explicit(n, 3, memory_order_relaxed, memory_scope_device);
  }
}
