/* SPDX-License-Identifier: MIT */
/* Control barriers with a quorum: which of those that meet synchronise with the
 * others is a choice of the candidate, of at least as many as the quorum says. */
#ifndef LITSCOPE_EXEC_SEARCH_BARRIER_CHOICE_H
#define LITSCOPE_EXEC_SEARCH_BARRIER_CHOICE_H

#include "checker/exec/search/partial_candidate.h"

/* Is there such a barrier in this structure? */
bool barrier_choice_exists(const struct structure *structure);

/* Leaves all of them open, but for what their quorums force.  False when a
 * quorum is larger than the number of barriers that meet. */
bool barrier_choice_start(const struct frames *all, struct frame *f);

/* Lets a barrier that is open synchronise, or not, with what follows.  False when
 * that leaves too few. */
void barrier_choice_join(const struct frames *all, struct frame *f, unsigned barrier);
bool barrier_choice_leave(const struct frames *all, struct frame *f, unsigned barrier);

/* Is there a barrier that is open? */
bool barrier_to_choose(const struct frames *all, const struct frame *f, unsigned *barrier);

#endif
