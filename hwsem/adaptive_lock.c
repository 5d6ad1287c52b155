/* SPDX-License-Identifier: MIT */
/* Some tries, and then as usual. */
#include "hwsem/adaptive_lock.h"

void lock_soon(pthread_mutex_t *lock) {
  enum { TRIES = 20000 };
  for (unsigned i = 0; i < TRIES; i++)
    if (!pthread_mutex_trylock(lock)) return;
  pthread_mutex_lock(lock);
}
