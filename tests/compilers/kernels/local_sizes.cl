// Variables of several sizes in local memory, which LLVM lays out with gaps, and a counter of 64 bits
// @Input: %out = {0, 0}
// @Output: forall (%out[0] == 24 and %out[1] == 23)
// @Config: 1, 2, 1
kernel void local_sizes(global int *out) {
  local char a[2];
  local long b[3];
  local short c[2];
  local atomic_long n;
  uint id = get_local_id(0);
  a[id] = (char)id;
  b[id] = 10;
  if (id == 0) b[2] = 1;
  c[id] = 10;
  if (id == 0) atomic_init(&n, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(&n, 1, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[id] = a[1 - id] + (int)b[1 - id] + c[1 - id] + (int)b[2] +
            (int)atomic_load_explicit(&n, memory_order_relaxed, memory_scope_work_group);
}
