// Barriers with nothing between them, in a loop: each pair is as good as one
// @Input: %cell = {0}
// @Output: forall (%cell[0] == 30)
// @Config: 3, 1, 1
kernel void barriers_twice(global int *cell) {
  for (int round = 0; round < 30; round++) {
    if (get_local_id(0) == round % 3) cell[0] = cell[0] + 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
