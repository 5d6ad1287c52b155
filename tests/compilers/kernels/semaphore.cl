// A semaphore that lets one work-group in at a time: taken by compare-and-swap, given back by an addition that releases
// @Config: 1, 1, 2
// @Input: %free = {1}
// @Input: %x = {0}
// @Output: forall (%x[0] == 2)
kernel void semaphore(global atomic_int *free, global int *x) {
  int seen = atomic_load_explicit(free, memory_order_relaxed, memory_scope_device);
  while (1) {
    while (seen == 0) seen = atomic_load_explicit(free, memory_order_relaxed, memory_scope_device);
    if (atomic_compare_exchange_weak_explicit(free, &seen, seen - 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) break;
  }
  x[0] = x[0] + 1;
  atomic_fetch_add_explicit(free, 1, memory_order_release, memory_scope_device);
}
