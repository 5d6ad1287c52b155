/* SPDX-License-Identifier: MIT */
/* Control barriers with a quorum: which of those that meet synchronise with the
 * others is a choice of the candidate, of at least as many as the quorum says. */
#ifndef LITSCOPE_EXEC_QUORUM_H
#define LITSCOPE_EXEC_QUORUM_H

#include "checker/exec/frame.h"

/* Is there such a barrier in this structure? */
bool quorum_chosen(const struct structure *structure);

/* Leaves all of them open, but for what their quorums force.  False when a
 * quorum is larger than the number of barriers that meet. */
bool quorum_start(const struct frames *all, struct frame *f);

/* Lets a barrier that is open synchronise, or not, with what follows.  False when
 * that leaves too few. */
void quorum_join(const struct frames *all, struct frame *f, unsigned barrier);
bool quorum_leave(const struct frames *all, struct frame *f, unsigned barrier);

/* Is there a barrier that is open? */
bool quorum_to_choose(const struct frames *all, const struct frame *f, unsigned *barrier);

#endif
