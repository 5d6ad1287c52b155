// Rounds of neighbours that add up, with a barrier between reading and writing; the last one is missing
// @Input: %sum = {1, 2, 3, 4}
// @Config: 2, 2, 1
kernel void rounds_barriers(global int *sum) {
  int item = get_local_id(0), next = (item + 1) % 4;
  for (int round = 0; round < 8; round++) {
    int value = sum[next];
    barrier(CLK_GLOBAL_MEM_FENCE);
    sum[item] += value;
    if (round < 7) barrier(CLK_GLOBAL_MEM_FENCE);
  }
  sum[item] = sum[next];
}
