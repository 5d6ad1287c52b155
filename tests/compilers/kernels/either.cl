// A pointer to local or global memory, as the work-item chooses
// @Config: 2, 1, 1
// @Input: %x = {3, 4}
// @Input: %out = {0, 0}
// @Output: forall (%out[0] == 14 and %out[1] == 4)
void put(short *p, int v) { *p = v; }
int get(short *p) { return *p; }
kernel void either(global short *x, global short *out) {
  local short t[2];
  int l = get_local_id(0);
  short *p = l ? (short *)&x[1] : (short *)&t[0];
  if (l == 0) put(&t[0], 14);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[l] = get(p);
}
