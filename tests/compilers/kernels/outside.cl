// Variables outside the kernel, a table of constants, and elements of both that are known only then
// @Config: 1, 1, 2
// @Input: %b = {0, 0}
// @Output: forall ((%b[0] == 8 and %b[1] == 64) or (%b[0] == 63 and %b[1] == 9))
constant int table[4] = {5, 60, 7, 8};
global atomic_int turn = 0;
global static int last[3] = {9, 3, 4};
kernel void outside(global int *b) {
  int old = atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed, memory_scope_device);
  b[get_group_id(0)] = table[old & 3] + last[1 + get_group_id(0)];
  last[1 + get_group_id(0)] = 9;
}
