// A private array, whose element an atomic counter chooses, which two work-items increase
// @Config: 1, 1, 2
// @Input: %n = {0}
// @Input: %out = {0, 0}
// @Output: forall ((%out[0] == 72 and %out[1] == 10) or (%out[0] == 10 and %out[1] == 72))
kernel void private_array(global atomic_int *n, global int *out) {
  int a[4] = {10, 20, 30, 40};
  int old = atomic_fetch_add_explicit(n, 1, memory_order_relaxed, memory_scope_device);
  a[(old + 2) & 3] += old;
  a[(old + 1) & 3] += a[(old + 2) & 3];
  out[get_group_id(0)] = old ? a[2] + 1 : a[0];
}
