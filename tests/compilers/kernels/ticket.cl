// A ticket lock around a counter
// @Input: %serving = {0}
// @Input: %next = {0}
// @Input: %x = {0}
// @Input: %seen = {-1, -1}
// @Output: forall (%x[0] == 2 and %seen[0] != %seen[1])
// @Config: 1, 1, 2
#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif

static void lock(global atomic_uint *serving, global atomic_uint *next) {
  uint ticket = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, SCOPE);
  while (atomic_load_explicit(serving, ACQUIRE, SCOPE) != ticket) {}
}

static void unlock(global atomic_uint *serving) {
  uint current = atomic_load_explicit(serving, memory_order_relaxed, SCOPE);
  atomic_store_explicit(serving, current + 1, memory_order_release, SCOPE);
}

kernel void ticket(global atomic_uint *serving, global atomic_uint *next, global int *x, global int *seen) {
  lock(serving, next);
  int value = *x;
  *x = value + 1;
  unlock(serving);
  seen[get_global_id(0)] = value;
}
