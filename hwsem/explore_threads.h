/* SPDX-License-Identifier: MIT */
/* Threads that share one exploration.
 *
 * Everything that the explorer reports follows from the numbers of states, and these
 * from the order in which states are first reached.  So states are handed out in that
 * order, a portion at a time, and whoever is free makes a portion's successors and adds them
 * to the visited set at once, while they are in its core's cache.  Who adds a state first does not count: the
 * explorer's own thread takes portions back in order and numbers what is not numbered yet;
 * with nothing to take back it works like the others.
 *
 *     struct team *team = team_new(&making, visited, maker, next, threads);
 *     while ((p = team_take(team))) ... number p's successors ...
 *     team_free(team);
 */
#ifndef LITSCOPE_HWSEM_EXPLORE_THREADS_H
#define LITSCOPE_HWSEM_EXPLORE_THREADS_H

#include "hwsem/successor_batch.h"

struct team;

/* Starts threads - 1 of them; states from `next` on are still to be expanded.  The set is
 * shared (visited_share).  `maker` is the caller's.  NULL: no thread, or no memory. */
struct team *team_new(const struct making *making, struct visited *v, struct maker *maker, uint32_t next,
                      unsigned threads);

/* Waits for what threads are at and ends them.  NULL does nothing. */
void team_free(struct team *team);

/* The next portion, made and looked up; good until the next call.  NULL: no state is left. */
struct portion *team_take(struct team *team);

#endif
