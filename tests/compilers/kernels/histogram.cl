// Each of two work-groups counts in local memory, at what is read, and adds what it has counted to what all have
// @Input: %data = {0, 1, 1, 1}
// @Input: %bins = {0, 0}
// @Output: forall (%bins[0] == 1 and %bins[1] == 3)
// @Config: 2, 1, 2
kernel void histogram(global const int *data, global atomic_int *bins) {
  local atomic_int part[2];
  int id = get_local_id(0);
  atomic_init(&part[id], 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(&part[data[get_global_id(0)]], 1, memory_order_relaxed, memory_scope_work_group);
#ifndef LOST
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  int found = atomic_load_explicit(&part[id], memory_order_relaxed, memory_scope_work_group);
  atomic_fetch_add_explicit(&bins[id], found, memory_order_relaxed, memory_scope_device);
}
