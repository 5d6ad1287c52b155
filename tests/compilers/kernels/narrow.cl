// Numbers of 32 bits that grow beyond them, parts of them, and such without a sign
// @Config: 1, 1, 2
// @Input: %a = {0}
// @Input: %b = {0, 0}
// @Input: %c = {0, 0}
// @Output: forall (%b[0] != 1 and %b[1] != 1 and %c[0] != 1 and %c[1] != 1)
kernel void narrow(global atomic_int *a, global int *b, global int *c) {
  int old = atomic_fetch_add_explicit(a, 0x88018001, memory_order_relaxed, memory_scope_device);
  b[get_group_id(0)] = (short)old + (char)(old + 200) + (old * 3 >> 2) + (old * old > 7) + ((uint)old > 9);
  c[get_group_id(0)] = ((uint)old >> 28) + (uchar)(old >> 9);
}
