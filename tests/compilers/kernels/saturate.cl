// OpenCL's sums that saturate, averages, products' upper words and distances, of what is passed by a message too
// @Config: 1, 1, 2
// @Input: %in = {2147483640, 20, -2147483640, 5}
// @Input: %out = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
// @Input: %flag = {0}
// @Input: %seen = {0, 0, 0, 0, 0, 0, 0, 0}
// @Output: forall (%out[0] == 2147483647 and %out[1] == -2147483648 and %out[2] == -2147483648 and %out[3] == 2147483647)
// @Output: forall (%out[4] == -1 and %out[5] == 0 and %out[6] == -32721 and %out[7] == 0 and %out[8] == 255)
// @Output: forall (%out[9] == 1073741830 and %out[10] == 9 and %out[11] == -16)
kernel void saturate(global const int *in, global int *out, global atomic_int *flag, global int *seen) {
  if (get_group_id(0) == 0) {
    out[0] = add_sat(in[0], in[1]);
    out[1] = add_sat(in[2], in[2]);
    out[2] = sub_sat(in[2], in[1]);
    out[3] = sub_sat(in[0], in[2]);
    out[4] = (int)add_sat((uint)in[2], (uint)in[2]);
    out[5] = (int)sub_sat((uint)in[3], (uint)in[1]);
    out[6] = add_sat((short)(in[1] + 32760), (short)(in[3] + 30));
    out[7] = sub_sat((ushort)in[3], (ushort)in[1]);
    out[8] = add_sat((uchar)(in[1] + 230), (uchar)in[1]);
    out[9] = hadd(in[0], in[1]);
    out[10] = mul_hi(in[0], in[1]);
    out[11] = (int)abs_diff(in[0], in[2]);
    atomic_store_explicit(flag, 40, memory_order_release, memory_scope_device);
  } else {
    int value = atomic_load_explicit(flag, memory_order_acquire, memory_scope_device);
    seen[0] = add_sat(value, 2147483630);
    seen[1] = sub_sat(-2147483630, value);
    seen[2] = (int)sub_sat(7u, (uint)value);
    seen[3] = (int)add_sat((uint)value, 4294967280u);
    seen[4] = add_sat((short)value, (short)32760);
    seen[5] = sub_sat((ushort)7, (ushort)value);
    seen[6] = rhadd(value, 5);
    seen[7] = (int)abs_diff(value, 7);
  }
}
