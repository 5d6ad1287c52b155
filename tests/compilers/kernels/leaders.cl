// A barrier of all work-groups at which only the first work-item of each meets the others': what the rest has stored
// before is behind the barriers of work-groups (S. Xiao and W. Feng, Inter-Block GPU Communication via Fast Barrier
// Synchronization, 2010)
// @Input: %arrived = {0, 0}
// @Input: %in = {0, 0, 0, 0}
// @Input: %out = {0, 0, 0, 0}
// @Output: forall (%out[0] == 4 and %out[1] == 3 and %out[2] == 2 and %out[3] == 1)
// @Config: 2, 1, 2
kernel void leaders(global atomic_int *arrived, global int *in, global int *out) {
  int id = get_global_id(0), group = get_group_id(0), leader = get_local_id(0) == 0;
  in[id] = id + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (leader) {
    atomic_store_explicit(&arrived[group], 1, memory_order_release, memory_scope_device);
    while (!atomic_load_explicit(&arrived[1 - group], memory_order_acquire, memory_scope_device)) {}
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[id] = in[3 - id];
}
