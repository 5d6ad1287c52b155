// Work-items take jobs from a queue until there are none
// @Input: %next = {0}
// @Input: %done = {0, 0, 0}
// @Output: forall (%done[0] == 1 and %done[1] == 1 and %done[2] == 1)
// @Config: 1, 1, 2
kernel void queue(global atomic_int *next, global int *done) {
  int job;
  while ((job = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device)) < 3) done[job]++;
}
