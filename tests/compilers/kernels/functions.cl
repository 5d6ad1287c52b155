// OpenCL's functions on numbers and floats, of what is passed by a message too
// @Config: 1, 1, 2
// @Input: %in = {5, -3, 9}
// @Input: %f = {1.5, 2.0, 4.0}
// @Input: %out = {0, 0, 0, 0, 0, 0}
// @Input: %g = {0, 0, 0, 0}
// @Input: %flag = {0}
// @Input: %seen = {0, 0, 0, 0}
// @Output: forall (%out[0] == 4 and %out[1] == 0 and %out[2] == 30 and %out[3] == 45 and %out[4] == 12 and %out[5] == 18)
// @Output: forall (%g[0] == 7.0 and %g[1] == 3.25 and %g[2] == 1.0 and %g[3] == 2.0)
kernel void functions(global const int *in, global const float *f, global int *out, global float *g,
                  global atomic_int *flag, global uint *seen) {
  if (get_group_id(0) == 0) {
    out[0] = clamp(in[0], 0, 4);
    out[1] = clamp(in[1], 0, 4);
    out[2] = clz(in[2]) + popcount(in[2]);
    out[3] = mul24(in[0], in[2]);
    out[4] = abs(in[1]) + max(in[0], in[2]);
    out[5] = rotate(in[2], 1);
    g[0] = fma(f[0], f[1], f[2]);
    g[1] = mad(f[0], f[1], 0.25f);
    g[2] = clamp(f[2], 0.0f, 1.0f);
    g[3] = fmin(f[2], f[1]);
    atomic_store_explicit(flag, 40, memory_order_release, memory_scope_device);
  } else {
    int value = atomic_load_explicit(flag, memory_order_acquire, memory_scope_device);
    seen[0] = clz(value);
    seen[1] = popcount(value);
    seen[2] = max(min(value, 30), 7);
    seen[3] = rotate(value, 3) + abs(3 - value);
  }
}
