// A lock of 64 bits, held by a value above 32 bits, around a counter of 16
// @Input: %lock = {0}
// @Input: %x = {65535}
// @Output: forall (%x[0] == 1)
// @Config: 1, 1, 2
#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif
kernel void wide(global atomic_ulong *lock, global ushort *x) {
  ulong free = 0;
  while (!atomic_compare_exchange_strong_explicit(lock, &free, 0x100000000ul, ACQUIRE, memory_order_relaxed,
                                                  memory_scope_device))
    free = 0;
  x[0]++;
  atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
