// A lock that is an atomic_flag, between sub-groups of one work-item; what is printed is computed, and no more
// @Input: %lock = {0}
// @Input: %x = {0}
// @Input: %out = {-1, -1}
// @Input: %printed = {0}
// @Output: forall (%x[0] == 2 and %printed[0] == 2 and (%out[0] == 20 and %out[1] == 113 or %out[0] == 21 and %out[1] == 112))
// @Config: 1, 2, 1
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void flag_lock(global atomic_flag *lock, global int *x, global int *out,
                      global atomic_int *printed) {
  int number = get_sub_group_id() * get_sub_group_size() + get_sub_group_local_id();
  while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire, memory_scope_work_group)) {}
  int value = sub_group_reduce_add(x[0]);
  x[0] = value + 1;
  atomic_flag_clear_explicit(lock, memory_order_release, memory_scope_work_group);
  printf("%d of %d\n", number, atomic_fetch_add_explicit(printed, 1, memory_order_relaxed, memory_scope_device));
  printf("done\n");
  out[number] = select(20, 112, number) + bitselect(0, value, 1);
}
