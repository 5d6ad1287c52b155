#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int s_ = 0;
atomic_int x_ = 0;
atomic_int y_ = 0;
atomic_int bad_ = 0;
static void *p0(void *unused)
{
  atomic_int *s = &s_;
  atomic_int *x = &x_;
  atomic_int *y = &y_;
  atomic_int *bad = &bad_;

  atomic_store_explicit(s, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_relaxed);
  atomic_store_explicit(s, 2, memory_order_release);
  return 0;
}
static void *p1(void *unused)
{
  atomic_int *s = &s_;
  atomic_int *x = &x_;
  atomic_int *y = &y_;
  atomic_int *bad = &bad_;

  int a = atomic_load_explicit(s, memory_order_acquire);
  int b = atomic_load_explicit(x, memory_order_relaxed);
  int c = atomic_load_explicit(y, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  int d = atomic_load_explicit(s, memory_order_relaxed);
  if (a == d) { if (a != 1) { if (b != c) { atomic_store_explicit(bad, 1, memory_order_relaxed); } } }
  return 0;
}
int main(void)
{
  pthread_t t[3];
  pthread_create(&t[0], 0, p0, 0);
  pthread_create(&t[1], 0, p1, 0);
  pthread_create(&t[2], 0, p1, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
  assert(bad_ == 0);
  return 0;
}
