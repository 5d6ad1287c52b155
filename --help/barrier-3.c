#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int b_ = 0;
int x0_;
int x1_;
int x2_;
atomic_int bad_ = 0;
static void *p0(void *unused)
{
  atomic_int *b = &b_;
  int *x0 = &x0_;
  int *x1 = &x1_;
  int *x2 = &x2_;
  atomic_int *bad = &bad_;

  *x0 = 1;
  int t = atomic_fetch_add_explicit(b, 1, memory_order_acq_rel);
  int s = atomic_load_explicit(b, memory_order_acquire);
  while (s != 3) { s = atomic_load_explicit(b, memory_order_acquire); }
  int v = *x1;
  if (v != 1) { atomic_store_explicit(bad, 1, memory_order_relaxed); }
  return 0;
}
static void *p1(void *unused)
{
  atomic_int *b = &b_;
  int *x0 = &x0_;
  int *x1 = &x1_;
  int *x2 = &x2_;
  atomic_int *bad = &bad_;

  *x1 = 1;
  int t = atomic_fetch_add_explicit(b, 1, memory_order_acq_rel);
  int s = atomic_load_explicit(b, memory_order_acquire);
  while (s != 3) { s = atomic_load_explicit(b, memory_order_acquire); }
  int v = *x2;
  if (v != 1) { atomic_store_explicit(bad, 1, memory_order_relaxed); }
  return 0;
}
static void *p2(void *unused)
{
  atomic_int *b = &b_;
  int *x0 = &x0_;
  int *x1 = &x1_;
  int *x2 = &x2_;
  atomic_int *bad = &bad_;

  *x2 = 1;
  int t = atomic_fetch_add_explicit(b, 1, memory_order_acq_rel);
  int s = atomic_load_explicit(b, memory_order_acquire);
  while (s != 3) { s = atomic_load_explicit(b, memory_order_acquire); }
  int v = *x0;
  if (v != 1) { atomic_store_explicit(bad, 1, memory_order_relaxed); }
  return 0;
}
int main(void)
{
  pthread_t t[3];
  pthread_create(&t[0], 0, p0, 0);
  pthread_create(&t[1], 0, p1, 0);
  pthread_create(&t[2], 0, p2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
  assert(bad_ == 0);
  return 0;
}
