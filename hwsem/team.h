/* SPDX-License-Identifier: MIT */
/* Threads that make successors for one exploration.
 *
 * The explorer numbers states in the order in which they are first reached, and
 * everything it reports follows from the numbers.  So one thread, the
 * explorer's, looks successors up and numbers them, as it does alone; helpers
 * make the successors of states that have a number already, a portion of states
 * at a time, ahead of where the explorer is.  Whatever the number of helpers and
 * however fast they are, it receives the same successors in the same order.
 *
 *     struct team *team = team_new(&job, helpers, index);
 *     for (; index < store->count; index++)
 *       if (team_take(team, index, store->count, &made)) ... made.states ...
 *       else ... make its successors here ...
 *     team_free(team);
 */
#ifndef LITSCOPE_HWSEM_TEAM_H
#define LITSCOPE_HWSEM_TEAM_H

#include "hwsem/machine.h"
#include "hwsem/store.h"

struct team_job {
  const struct machine *machine;
  const struct store *store; /* its chunks must not move (store_reserve_chunks) */
  bool por, symmetry;        /* as in explore.h */
};

/* What a state leads to: `emitted` states, store_stride apart, good until the next
 * team_take. */
struct team_successors {
  const uint8_t *states;
  uint32_t emitted, idle; /* idle: of these, by idle steps */
  bool complete;          /* what the machine returned */
  bool failed;            /* memory ran out: nothing else counts */
  bool final;             /* of the state itself */
};

struct team;

/* Starts `helpers` threads, for states from `first` on; fewer where the system has
 * no more to give.  NULL: none, or no memory. */
struct team *team_new(const struct team_job *job, unsigned helpers, uint32_t first);

/* Waits for what helpers are at and ends them.  NULL does nothing. */
void team_free(struct team *team);

/* Successors of state `index`; indices come in ascending order, one by one.
 * States below `count` are in the store, and helpers may go on with them.  While
 * the portion that has `index` is being made, the caller's thread makes another.
 * Returns false when no helper has `index`: then the caller makes its successors. */
bool team_take(struct team *team, uint32_t index, uint32_t count, struct team_successors *made);

#endif
