#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int top_ = 0;
atomic_int bottom_ = 2;
atomic_int t0_ = 0;
atomic_int t1_ = 0;
atomic_int bad_ = 0;
static void *p0(void *unused)
{
  atomic_int *top = &top_;
  atomic_int *bottom = &bottom_;
  atomic_int *t0 = &t0_;
  atomic_int *t1 = &t1_;
  atomic_int *bad = &bad_;

  atomic_store_explicit(bottom, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  int t = atomic_load_explicit(top, memory_order_relaxed);
  if (t <= 0) { atomic_fetch_add_explicit(t1, 1, memory_order_relaxed); }
  if (t == 1) {
    int e = 1;
    int ok = atomic_compare_exchange_strong_explicit(top, &e, 2, memory_order_seq_cst, memory_order_relaxed);
    if (ok != 0) { atomic_fetch_add_explicit(t1, 1, memory_order_relaxed); }
  }
  return 0;
}
static void *p1(void *unused)
{
  atomic_int *top = &top_;
  atomic_int *bottom = &bottom_;
  atomic_int *t0 = &t0_;
  atomic_int *t1 = &t1_;
  atomic_int *bad = &bad_;

  int t = atomic_load_explicit(top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  int b = atomic_load_explicit(bottom, memory_order_acquire);
  if (t < b) {
    int e = t;
    int ok = atomic_compare_exchange_strong_explicit(top, &e, t + 1, memory_order_seq_cst, memory_order_relaxed);
    if (ok != 0) {
      if (t == 0) { atomic_fetch_add_explicit(t0, 1, memory_order_relaxed); }
      if (t == 1) { atomic_fetch_add_explicit(t1, 1, memory_order_relaxed); }
    }
  }
  return 0;
}
int main(void)
{
  pthread_t t[2];
  pthread_create(&t[0], 0, p0, 0);
  pthread_create(&t[1], 0, p1, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(t1_ == 1);
  return 0;
}
