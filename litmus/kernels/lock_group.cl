// A lock of eight work-items in two work-groups: its scope is the work-group, so that it does not protect `count`
// @Input: %lock = {0}
// @Input: %count = {0}
// @Output: forall (%count[0] == 8)
// @Config: 2, 2, 2
kernel void lock_group(global atomic_int *lock, global int *count) {
  int expected;
  do {
    expected = 0;
  } while (!atomic_compare_exchange_strong_explicit(lock, &expected, 1, memory_order_acquire, memory_order_relaxed,
                                                    memory_scope_work_group));
  count[0] = count[0] + 1;
  atomic_store_explicit(lock, 0, memory_order_release, memory_scope_work_group);
}
