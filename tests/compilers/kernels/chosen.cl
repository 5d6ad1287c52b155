// A private array, of which a value in memory chooses the element
// @Config: 1, 1, 2
// @Input: %i = {1, 2}
// @Input: %out = {0, 0}
// @Output: forall (%out[0] == 51 and %out[1] == 71)
kernel void chosen(global const int *i, global int *out) {
  int a[4] = {10, 20, 30, 40};
  int g = get_global_id(0);
  a[i[g]] += 1;
  out[g] = a[(i[g] + 1) & 3] + a[i[g]];
}
