#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int l_ = 0;
int x_;
static void *p0(void *unused)
{
  atomic_int *l = &l_;
  int *x = &x_;

  int a = atomic_exchange_explicit(l, 1, memory_order_acquire);
  while (a != 0) { a = atomic_exchange_explicit(l, 1, memory_order_acquire); }
  int v = *x;
  *x = v + 1;
  atomic_store_explicit(l, 0, memory_order_release);
  return 0;
}
int main(void)
{
  pthread_t t[4];
  pthread_create(&t[0], 0, p0, 0);
  pthread_create(&t[1], 0, p0, 0);
  pthread_create(&t[2], 0, p0, 0);
  pthread_create(&t[3], 0, p0, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
  pthread_join(t[3], 0);
  assert(x_ == 4);
  return 0;
}
