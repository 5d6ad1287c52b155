// An element at an address that is the same for all, and results at one that is not
// @Input: %x = {5}
// @Input: %a = {0}
// @Input: %b = {0}
// @Output: forall (%x[0] == 7 and %a[0] == 7 and %b[0] == 7)
// @Config: 2, 1, 1
static void add(global int *x) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) x[0]++;
  barrier(CLK_GLOBAL_MEM_FENCE);
}

kernel void uniform(global int *x, global int *a, global int *b) {
  add(x);
  add(x);
  *(get_local_id(0) == 0 ? a : b) = x[0];
}
