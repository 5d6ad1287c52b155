// Work-items take jobs of 64 bits from a queue
// @Config: 1, 1, 2
// @Input: %head = {0}
// @Input: %jobs = {2,3}
// @Input: %done = {0,0}
// @Output: forall (%done[0] == 7 and %done[1] == 10)
kernel void jobs(global atomic_int *head, global const long *jobs, global long *done) {
  while (true) {
    int j = atomic_fetch_add_explicit(head, 1, memory_order_relaxed, memory_scope_device);
    if (j >= 2) break;
    done[j] = jobs[j] * 3 + 1;
  }
}
