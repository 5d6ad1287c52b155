/* SPDX-License-Identifier: MIT */
/* Structures that many nodes of the tree have.
 *
 * How far threads have come is the same on many ways of deciding what reads see: some hundred structures stand at tens
 * of thousands of nodes.  So one is kept, with what holds of it whatever is decided, for as long as there is room.
 * Which are, depends on nothing but the order in which they are asked for.
 */
#ifndef LITSCOPE_EXEC_UNFOLDING_EVENT_STRUCTURE_CACHE_H
#define LITSCOPE_EXEC_UNFOLDING_EVENT_STRUCTURE_CACHE_H

#include "checker/exec/paths/event_structure.h"
#include "checker/exec/paths/expression_range.h"

/* Threads put together. */
struct standing {
  struct arena *arena; /* of all of this */
  struct structure *structure;
  struct structure **swapped; /* by thread: with its compare-and-swap's success, once asked for */
  const struct range *ranges; /* of values, by event (increment_only_counters.h); NULL: nothing is known of them */
  bool impossible;            /* its conditions do not go together */
  unsigned users;             /* nodes at which it stands now */
  size_t size;                /* of the arena when the last was left */
  struct thread_state **threads;
};

struct kept_structures;

/* Lives in `arena`, but for what is kept; of so many threads and bytes. */
struct kept_structures *kept_structures_new(struct arena *arena, unsigned threads, size_t room);
void kept_structures_free(struct kept_structures *kept); /* NULL is allowed */

/* What these threads, all of them kept (paths.h), are put together; its structure is NULL if the caller has yet to do
 * so, there.  NULL: nothing is kept of them. */
struct standing *kept_structures_enter(struct kept_structures *kept, struct thread_state *const *threads);
void kept_structures_leave(struct kept_structures *kept, struct standing *standing);

#endif
