// A barrier of all work-groups: each reads what the other wrote before it
// @Input: %arrived = {0}
// @Input: %in = {0, 0}
// @Input: %out = {0, 0}
// @Input: %groups = 2
// @Output: forall (%out[0] == 2 and %out[1] == 1)
// @Config: 1, 1, 2
kernel void grid_barrier(global atomic_uint *arrived, global uint *in, global uint *out, uint groups) {
  uint id = get_group_id(0);
  in[id] = id + 1;
  atomic_fetch_add_explicit(arrived, 1, memory_order_acq_rel, memory_scope_device);
  while (atomic_load_explicit(arrived, memory_order_acquire, memory_scope_device) < groups) {}
  out[id] = in[1 - id];
}
