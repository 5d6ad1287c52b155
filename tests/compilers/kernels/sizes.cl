// Elements of all sizes, in a struct that is passed on and in one that is passed by value, and small arguments
// @Input: %m = {{0, 0, 0, 0}}
// @Input: %p = {{-3, 4, 5}}
// @Input: %a = 250
// @Input: %b = -2
// @Input: %out = {0, 0}
// @Output: forall (%out[1] == 254 and (%out[0] == 0 or %out[0] == 4294967039))
// @Config: 1, 1, 2
struct message {
  char tag;
  ushort length;
  atomic_int ready;
  long body;
};
struct offsets {
  char tag;
  short length;
  int body;
};
kernel void sizes(global struct message *m, struct offsets p, uchar a, short b, global long *out) {
  if (get_global_id(0) == 0) {
    m->tag = p.tag;
    m->length = (ushort)(p.length + b);
    m->body = 0xfffffef8;
    atomic_store_explicit(&m->ready, p.body, memory_order_release, memory_scope_device);
  } else {
    if (atomic_load_explicit(&m->ready, memory_order_acquire, memory_scope_device) == 5)
      out[0] = m->body + m->length + 8 + m->tag;
    out[1] = a + p.length;
  }
}
