/* SPDX-License-Identifier: MIT */
/* Who does which part of divided work, where several processes do it.
 *
 * The first process (rank 0) keeps the parts and hands out their numbers: to each rank
 * that asks, as many as it does in about a tenth of a second, and fewer near the end.
 * When none is left that nobody has, a rank that asks gets one that another has had
 * for long: so a rank that is slow, or gone, holds nothing up.  Of two results of a
 * part the first counts.
 *
 * All functions are called by one thread at a time.  Only part_dispatcher_new allocates.
 */
#ifndef LITSCOPE_BASE_PART_DISPATCHER_H
#define LITSCOPE_BASE_PART_DISPATCHER_H

#include "checker/base/parts.h"

enum { DISPATCH_MOST = 64 }; /* parts of one hand */

struct part_dispatcher;

/* In malloc's memory; goes back to the guard when that is out. */
struct part_dispatcher *part_dispatcher_new(struct parts *parts, unsigned ranks);
void part_dispatcher_free(struct part_dispatcher *dispatcher);

/* Parts for a rank, up to `room`; 0: none, for now or (part_dispatcher_is_over) for good.  `now`:
 * seconds. */
size_t part_dispatcher_take(struct part_dispatcher *dispatcher, unsigned rank, double now, uint64_t *taken,
                            size_t room);

/* A rank's part is done. */
void part_dispatcher_done(struct part_dispatcher *dispatcher, unsigned rank, uint64_t part);

/* What a rank has is to be handed out again: it does nothing more. */
void part_dispatcher_leave(struct part_dispatcher *dispatcher, unsigned rank);

/* Is every part done? */
bool part_dispatcher_is_over(const struct part_dispatcher *dispatcher);

/* Parts that a rank was the first to do. */
uint64_t part_dispatcher_count(const struct part_dispatcher *dispatcher, unsigned rank);

#endif
