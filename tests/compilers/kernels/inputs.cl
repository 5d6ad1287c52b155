// Each work-item adds up many inputs, which nobody writes: their loads need no requests, but waits
// @Input: %in = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39}
// @Input: %out = {0, 0}
// @Output: forall (%out[0] == 380 and %out[1] == 400)
// @Config: 1, 1, 2
kernel void inputs(global const int *in, global int *out) {
  int sum = 0;
  for (int i = get_global_id(0); i < 40; i += get_global_size(0)) sum += in[i];
  out[get_global_id(0)] = sum;
}
