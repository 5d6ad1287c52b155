#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int c_ = 0;
static void *p0(void *unused)
{
  atomic_int *c = &c_;

  int t = atomic_fetch_add_explicit(c, 1, memory_order_relaxed);
  return 0;
}
int main(void)
{
  pthread_t t[5];
  pthread_create(&t[0], 0, p0, 0);
  pthread_create(&t[1], 0, p0, 0);
  pthread_create(&t[2], 0, p0, 0);
  pthread_create(&t[3], 0, p0, 0);
  pthread_create(&t[4], 0, p0, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
  pthread_join(t[3], 0);
  pthread_join(t[4], 0);
  assert(c_ == 5);
  return 0;
}
