// Each of two work-groups of 2x2 transposes what its work-items store
// @Input: %out = {0, 0, 0, 0, 0, 0, 0, 0}
// @Output: forall (%out[0] == 0 and %out[1] == 10 and %out[2] == 1 and %out[4] == 20 and %out[5] == 30 and %out[6] == 21)
// @Config: 1x2, 2x1, 1x2
kernel void transpose(global int *out) {
  local int tile[2][2];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = get_global_id(1) * 10 + get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = tile[x][y];
}
