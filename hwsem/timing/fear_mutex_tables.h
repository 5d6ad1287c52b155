/* SPDX-License-Identifier: MIT */
/* The members' tables of a machine of rings, whatever network there is between nodes: who has a mutex, who waits
 * for one at which member, busy wires, and the talking sticks, whose holders change what they can.
 */
#ifndef LITSCOPE_HWSEM_TIMING_FEAR_MUTEX_TABLES_H
#define LITSCOPE_HWSEM_TIMING_FEAR_MUTEX_TABLES_H

#include "checker/base/vec.h"
#include "hwsem/timing/fear_rings.h"

enum { NEVER = -1 };

struct fear_mutex {
  int64_t released; /* the time of the last release, or NEVER */
  int32_t last;     /* the node that had it last, or NEVER */
  bool taken;
};

/* An operation that waits at a member. */
struct fear_waiter {
  int64_t operation;
  int32_t node, mutex;
  int32_t wire; /* [ring * B + wire] */
};

/* What the holder of a stick has done: a mutex is free, or somebody's. */
struct fear_change {
  int64_t operation, now;
  int member; /* [ring * k + j] */
  bool releases;
  bool same;   /* the node had it last */
  bool mature; /* the last release was in an earlier epoch */
};

struct fear_member {
  VEC(struct fear_waiter) releases, requests; /* in the order of their arrival */
};

struct fear_mutex_tables {
  struct arena *arena;
  const struct fear_rings *rings;
  int64_t E; /* length of an epoch */
  struct fear_mutex *mutexes;
  struct fear_member *members; /* [ring * k + j] */
  int64_t *wires;              /* busy before this time */
  /* Sets of members, of so many words: who has requests; who has releases, or requests that may
   * be granted; who holds a stick, [cycle % k * words]. */
  int words;
  uint64_t *asking, *waiting, *sticks;
  /* Called for each change; returns before when the mutex's wire is busy. */
  int64_t (*changed)(void *context, const struct fear_change *change);
  void *context;
};

/* Tables of free mutexes; `changed` and `context` are the caller's to set. */
struct fear_mutex_tables fear_mutex_tables_new(struct arena *arena, const struct fear_rings *rings, int64_t B,
                                               int64_t mutexes, int64_t E);

void fear_mutex_tables_enqueue(struct fear_mutex_tables *tables, int member, bool releases, struct fear_waiter waiter);

/* Lets the holders of the sticks do what they can, releases first, a ring after the other. */
void fear_mutex_tables_serve(struct fear_mutex_tables *tables, int64_t phase, int64_t now);

/* Does a member wait who holds a stick then? */
bool fear_mutex_tables_holder_waits(const struct fear_mutex_tables *tables, int64_t phase);

/* Does any member wait for its stick? */
bool fear_mutex_tables_someone_waits(const struct fear_mutex_tables *tables);

#endif
