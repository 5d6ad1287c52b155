/* SPDX-License-Identifier: MIT */
/* A lock that is held for moments. */
#ifndef LITSCOPE_HWSEM_ADAPTIVE_LOCK_H
#define LITSCOPE_HWSEM_ADAPTIVE_LOCK_H

#include <pthread.h>

/* Takes a lock that is free again soon: a thread that slept till then would wake up later. */
void lock_soon(pthread_mutex_t *lock);

#endif
