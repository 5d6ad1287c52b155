// Local memory, as an argument, and the barrier of a work-group
// @Input: %cells = {0, 0}
// @Input: %out = {0, 0}
// @Output: forall (%out[0] == 2 and %out[1] == 1)
// @Config: 1, 2, 1
kernel void local_cells(local int *cells, global int *out) {
  uint id = get_local_id(0);
  cells[id] = (int)id + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[id] = cells[1 - id];
}
