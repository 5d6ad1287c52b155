/* SPDX-License-Identifier: MIT */
/* The order of PTX's sequentially consistent fences (sync_fence), a choice of
 * the candidate: fences of scopes that include each other's thread are ordered
 * one way or the other, without a cycle; others may be, one way at most. */
#ifndef LITSCOPE_EXEC_SEARCH_SC_FENCE_ORDER_H
#define LITSCOPE_EXEC_SEARCH_SC_FENCE_ORDER_H

#include "checker/exec/search/partial_candidate.h"

/* Is it one of them? */
bool fence_is_ordered(const struct event *event);

/* Are there fences to be ordered in this structure? */
bool fences_need_order(const struct structure *structure);

/* Makes all pairs possible. */
void fences_start(const struct frames *all, struct frame *f);

/* Takes a pair, or rules it out, with what follows.  False when that contradicts
 * what has been decided. */
bool fences_order(const struct frames *all, struct frame *f, unsigned a, unsigned b);
bool fences_leave_out(const struct frames *all, struct frame *f, unsigned a, unsigned b);

/* Is there a pair that must be ordered and is not yet? */
bool fences_to_order(const struct frames *all, const struct frame *f, unsigned *a, unsigned *b);

#endif
