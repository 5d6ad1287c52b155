#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int next_ = 0;
atomic_int serving_ = 0;
int x_;
static void *p0(void *unused)
{
  atomic_int *next = &next_;
  atomic_int *serving = &serving_;
  int *x = &x_;

  int t = atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
  int s = atomic_load_explicit(serving, memory_order_acquire);
  while (s != t) { s = atomic_load_explicit(serving, memory_order_acquire); }
  int v = *x;
  *x = v + 1;
  atomic_store_explicit(serving, t + 1, memory_order_release);
  return 0;
}
int main(void)
{
  pthread_t t[7];
  pthread_create(&t[0], 0, p0, 0);
  pthread_create(&t[1], 0, p0, 0);
  pthread_create(&t[2], 0, p0, 0);
  pthread_create(&t[3], 0, p0, 0);
  pthread_create(&t[4], 0, p0, 0);
  pthread_create(&t[5], 0, p0, 0);
  pthread_create(&t[6], 0, p0, 0);
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
