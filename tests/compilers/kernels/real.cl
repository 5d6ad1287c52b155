// What is computed with floats and doubles of what another work-group has written under a lock
// @Config: 1, 1, 2
// @Input: %lock = {0}
// @Input: %sum = {0.5}
// @Input: %mean = {0.5}
// @Input: %seen = {0, 0}
// @Output: forall (%sum[0] == 4.0 and %mean[0] == 1.0 and ((%seen[0] == -2 and %seen[1] == 5) or (%seen[0] == 5 and %seen[1] == -2)))
kernel void real(global atomic_int *lock, global float *sum, global double *mean, global int *seen) {
  int e = 0;
  while (!atomic_compare_exchange_strong_explicit(lock, &e, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) e = 0;
  float before = sum[0];
  sum[0] = fma(before, 2.0f, 0.5f) + (before > 1.0f ? 0.5f : 0.0f);
  mean[0] = (mean[0] + (double)before) / 2.0;
  seen[get_group_id(0)] = (int)(before < 1.0f ? -before * 4.0f : before * 3.5f);
  atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
