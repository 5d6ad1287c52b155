// A bitonic sort in local memory
// @Input: %a = {3, 1, 4, 2}
// @Output: forall (%a[0] == 1 and %a[1] == 2 and %a[2] == 3 and %a[3] == 4)
// @Config: 2, 1, 1
kernel void bitonic(global uint *a) {
  local uint s[4];
  uint t = get_local_id(0);
  s[t] = a[t]; s[t + 2] = a[t + 2];
  for (uint size = 2; size <= 4; size <<= 1) {
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint pos = 2 * t - (t & (stride - 1));
      uint x = s[pos], y = s[pos + stride];
      bool up = (pos & size) == 0;
      if ((x > y) == up) { s[pos] = y; s[pos + stride] = x; }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[t] = s[t]; a[t + 2] = s[t + 2];
}
