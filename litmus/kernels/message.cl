// A message through a flag: SCOPE is how far the flag's operations reach
// @Input: %data = {0}
// @Input: %flag = {0}
// @Input: %out = {-1}
// @Output: forall (%out[0] == -1 or %out[0] == 1)
// @Config: 1, 1, 2
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif

kernel void message(global int *data, global atomic_int *flag, global int *out) {
  if (get_global_id(0) == 0) {
    data[0] = 1;
    atomic_store_explicit(flag, 1, memory_order_release, SCOPE);
  } else if (atomic_load_explicit(flag, memory_order_acquire, SCOPE) == 1) {
    out[0] = data[0];
  }
}
