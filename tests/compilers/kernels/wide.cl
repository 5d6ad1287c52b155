// Elements of 64 bits, which the machine does not have
// @Input: %x = {0}
// @Output: forall (%x[0] == 1)
kernel void wide(global long *x) {
  x[0] = 1;
}
