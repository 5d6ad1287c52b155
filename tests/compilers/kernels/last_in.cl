// Each work-item takes the next element, and the last one to come sums up
// @Input: %taken = {0}
// @Input: %come = {0}
// @Input: %data = {0, 0}
// @Input: %sum = {0}
// @Output: forall (%sum[0] == 3)
// @Config: 1, 1, 2
kernel void last_in(global atomic_int *taken, global atomic_int *come, global int *data, global int *sum) {
  int i = atomic_fetch_add_explicit(taken, 1, memory_order_relaxed, memory_scope_device);
  data[i] = get_global_id(0) + 1;
  if (atomic_fetch_add_explicit(come, 1, memory_order_acq_rel, memory_scope_device) == 1) *sum = data[0] + data[1];
}
