// A lock by compare-and-swap around a counter; the work-items are of one group
// @Input: %l = {0}
// @Input: %x = {0}
// @Output: forall (%x[0] == 2)
// @Config: 1, 2, 1
kernel void spin(global atomic_uint *l, global int *x) {
  uint expected = 0;
  while (!atomic_compare_exchange_strong_explicit(l, &expected, 1, memory_order_acquire, memory_order_relaxed,
                                                  memory_scope_work_group))
    expected = 0;
  *x = *x + 1;
  atomic_store_explicit(l, 0, memory_order_release, memory_scope_work_group);
}
