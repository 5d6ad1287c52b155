// A scan that looks back, as CUB has it: a state and a sum are published as one number of 64 bits
// @Config: 1, 1, 2
// @Input: %desc = {0, 0}
// @Input: %in = {3, 4}
// @Input: %out = {-1, -1}
// @Output: forall (%out[0] == 0 and %out[1] == 3)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void look_back(global atomic_ulong *desc, global int *in, global int *out) {
  int b = get_group_id(0), sum = in[b], prefix = 0;
  if (b == 0) { atomic_store_explicit(&desc[0], 2ul << 32 | (uint)sum, memory_order_relaxed, memory_scope_device); out[0] = 0; return; }
  atomic_store_explicit(&desc[b], 1ul << 32 | (uint)sum, memory_order_relaxed, memory_scope_device);
  for (int p = b - 1;; p--) {
    ulong d;
    do d = atomic_load_explicit(&desc[p], memory_order_relaxed, memory_scope_device); while (d >> 32 == 0);
    prefix += (int)d;
    if (d >> 32 == 2) break;
  }
  atomic_store_explicit(&desc[b], 2ul << 32 | (uint)(sum + prefix), memory_order_relaxed, memory_scope_device);
  out[b] = prefix;
}
