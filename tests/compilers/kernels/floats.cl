// Floats, which two work-groups add to a sum in turn
// @Config: 1, 1, 2
// @Input: %lock = {0}
// @Input: %sum = {0.25}
// @Input: %seen = {0, 0}
// @Output: forall (%sum[0] == 1.75 and ((%seen[0] == 1 and %seen[1] == 4) or (%seen[0] == 6 and %seen[1] == 1)))
kernel void floats(global atomic_int *lock, global float *sum, global int *seen) {
  int id = get_group_id(0);
  while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device)) {}
  float before = sum[0], more = (float)(1 + id) * 0.5f;
  sum[0] = before + more;
  atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
  seen[id] = (before > 0.25f) + (int)(before * 4.0f);
}
