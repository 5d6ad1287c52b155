/* SPDX-License-Identifier: MIT */
/* Who does which part of divided work, where several processes do it.
 *
 * The first process (rank 0) keeps the parts and deals their numbers: to each rank
 * that asks, as many as it does in about a tenth of a second, and fewer near the end.
 * When none is left that nobody has, a rank that asks gets one that another has had
 * for long: so a rank that is slow, or gone, holds nothing up.  Of two results of a
 * part the first counts.
 *
 * All functions are called by one thread at a time.  Only part_dealer_new allocates.
 */
#ifndef LITSCOPE_BASE_PART_DEALER_H
#define LITSCOPE_BASE_PART_DEALER_H

#include "checker/base/parts.h"

enum { DEAL_MOST = 64 }; /* parts of one hand */

struct part_dealer;

/* In malloc's memory; goes back to the guard when that is out. */
struct part_dealer *part_dealer_new(struct parts *parts, unsigned ranks);
void part_dealer_free(struct part_dealer *dealer);

/* Parts for a rank, up to `room`; 0: none, for now or (part_dealer_is_over) for good.  `now`:
 * seconds. */
size_t part_dealer_take(struct part_dealer *dealer, unsigned rank, double now, uint64_t *taken, size_t room);

/* A rank's part is done. */
void part_dealer_done(struct part_dealer *dealer, unsigned rank, uint64_t part);

/* What a rank has is to be dealt again: it does nothing more. */
void part_dealer_leave(struct part_dealer *dealer, unsigned rank);

/* Is every part done? */
bool part_dealer_is_over(const struct part_dealer *dealer);

/* Parts that a rank was the first to do. */
uint64_t part_dealer_count(const struct part_dealer *dealer, unsigned rank);

#endif
