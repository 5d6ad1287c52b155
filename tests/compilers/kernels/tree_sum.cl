// A work-group of four adds up what its work-items have, halving their number with each barrier
// @Input: %in = {1, 2, 3, 4}
// @Input: %out = {0}
// @Output: forall (%out[0] == 10)
// @Config: 4, 1, 1
kernel void tree_sum(global const int *in, global int *out) {
  local int sums[4];
  int item = get_local_id(0);
  sums[item] = in[item];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 2) sums[item] += sums[item + 2];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) out[0] = sums[0] + sums[1];
}
