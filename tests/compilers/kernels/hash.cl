// Work-items insert keys in a table with probing: which entry's value they write, only a run knows.
// @Input: %keys = {0,0,0,0}
// @Input: %vals = {0,0,0,0}
// @Input: %in = {5, 9}
// @Output: forall (%keys[1] == 5 and %keys[2] == 9 and %vals[1] == 50 and %vals[2] == 90 or %keys[1] == 9 and %keys[2] == 5 and %vals[1] == 90 and %vals[2] == 50)
// @Config: 1, 1, 2
#define N 4
kernel void insert(global atomic_int *keys, global int *vals, global const int *in) {
  int k = in[get_global_id(0)];
  int h = k & (N - 1);
  for (int i = 0; i < N; i++) {
    int expected = 0;
    if (atomic_compare_exchange_strong_explicit(&keys[h], &expected, k, memory_order_relaxed, memory_order_relaxed, memory_scope_device)) {
      vals[h] = k * 10;
      return;
    }
    if (expected == k) return;
    h = (h + 1) & (N - 1);
  }
}
