#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int f_ = 0;
int x_;
static void *p0(void *unused)
{
  atomic_int *f = &f_;
  int *x = &x_;

  int v = *x;
  *x = v + 1;
  atomic_store_explicit(f, 1, memory_order_release);
  return 0;
}
static void *p1(void *unused)
{
  atomic_int *f = &f_;
  int *x = &x_;

  int s = atomic_load_explicit(f, memory_order_acquire);
  while (s != 1) { s = atomic_load_explicit(f, memory_order_acquire); }

  int v = *x;
  *x = v + 1;
  atomic_store_explicit(f, 2, memory_order_release);
  return 0;
}
static void *p2(void *unused)
{
  atomic_int *f = &f_;
  int *x = &x_;

  int s = atomic_load_explicit(f, memory_order_acquire);
  while (s != 2) { s = atomic_load_explicit(f, memory_order_acquire); }

  int v = *x;
  *x = v + 1;
  atomic_store_explicit(f, 3, memory_order_release);
  return 0;
}
static void *p3(void *unused)
{
  atomic_int *f = &f_;
  int *x = &x_;

  int s = atomic_load_explicit(f, memory_order_acquire);
  while (s != 3) { s = atomic_load_explicit(f, memory_order_acquire); }

  int v = *x;
  *x = v + 1;
  atomic_store_explicit(f, 4, memory_order_release);
  return 0;
}
static void *p4(void *unused)
{
  atomic_int *f = &f_;
  int *x = &x_;

  int s = atomic_load_explicit(f, memory_order_acquire);
  while (s != 4) { s = atomic_load_explicit(f, memory_order_acquire); }

  int v = *x;
  *x = v + 1;
  atomic_store_explicit(f, 5, memory_order_release);
  return 0;
}
static void *p5(void *unused)
{
  atomic_int *f = &f_;
  int *x = &x_;

  int s = atomic_load_explicit(f, memory_order_acquire);
  while (s != 5) { s = atomic_load_explicit(f, memory_order_acquire); }

  int v = *x;
  *x = v + 1;
  atomic_store_explicit(f, 6, memory_order_release);
  return 0;
}
static void *p6(void *unused)
{
  atomic_int *f = &f_;
  int *x = &x_;

  int s = atomic_load_explicit(f, memory_order_acquire);
  while (s != 6) { s = atomic_load_explicit(f, memory_order_acquire); }

  int v = *x;
  *x = v + 1;
  atomic_store_explicit(f, 7, memory_order_release);
  return 0;
}
int main(void)
{
  pthread_t t[7];
  pthread_create(&t[0], 0, p0, 0);
  pthread_create(&t[1], 0, p1, 0);
  pthread_create(&t[2], 0, p2, 0);
  pthread_create(&t[3], 0, p3, 0);
  pthread_create(&t[4], 0, p4, 0);
  pthread_create(&t[5], 0, p5, 0);
  pthread_create(&t[6], 0, p6, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
  pthread_join(t[3], 0);
  pthread_join(t[4], 0);
  pthread_join(t[5], 0);
  pthread_join(t[6], 0);
  assert(x_ == 7);
  return 0;
}
