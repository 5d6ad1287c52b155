// Bytes, halves, floats and numbers of 64 bits, handed over by a barrier, with a division and elements whose numbers only a run knows.
// @Input: %bytes = {200, 7}
// @Input: %halves = {-3, 9}
// @Input: %reals = {1.5, 2.5}
// @Input: %longs = {5000000000, 3}
// @Input: %out = {0, 0}
// @Output: forall (%out[0] == 5000000007 and %out[1] == 203 and %halves[0] == 66 and %reals[0] == 2.5 and %reals[1] == 1.5 and %bytes[0] == 200)
// @Config: 2, 1, 1
kernel void sizes(global uchar *bytes, global short *halves, global float *reals, global long *longs, global long *out) {
  local uchar kept[2];
  local float real[2];
  int l = get_local_id(0), other = 1 - l;
  kept[l] = bytes[l];
  real[l] = reals[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = longs[l] + kept[other];
  reals[l] = real[other];
  if (l == 0) halves[0] = kept[0] / 3;
  if (l == 1 && halves[1] == 9) out[1] = kept[0] + longs[1];
}
