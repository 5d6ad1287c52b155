/* SPDX-License-Identifier: MIT */
/* A lock that is held for moments. */
#ifndef LITSCOPE_HWSEM_LOCK_H
#define LITSCOPE_HWSEM_LOCK_H

#include <pthread.h>

/* Takes a lock that is free again soon: a thread that slept till then would wake up later. */
static inline void lock_soon(pthread_mutex_t *lock) {
  enum { TRIES = 20000 };
  for (unsigned i = 0; i < TRIES; i++)
    if (!pthread_mutex_trylock(lock)) return;
  pthread_mutex_lock(lock);
}

#endif
