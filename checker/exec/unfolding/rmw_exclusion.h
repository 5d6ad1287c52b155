/* SPDX-License-Identifier: MIT */
/* Read-modify-writes that cannot both read from one write.
 *
 * Atomicity is for the model to demand, and mostly it does: then what one
 * read-modify-write is known to read from, no other reads from.  While threads are
 * unfolded this decides which compare-and-swaps succeed, since those that need the
 * same value fail as soon as one has taken it.  The model is asked once for each kind
 * of pair, on the pair and the write alone: what it rejects of these, it rejects
 * whatever else there is (BOUNDS_PREFIX).
 */
#ifndef LITSCOPE_EXEC_UNFOLDING_RMW_EXCLUSION_H
#define LITSCOPE_EXEC_UNFOLDING_RMW_EXCLUSION_H

#include "checker/exec/search/search.h"

struct rmw_exclusion;

/* Of a test under a model; lives in `arena`, as long as `control`. */
struct rmw_exclusion *rmw_exclusion_new(struct arena *arena, const struct litmus_test *test,
                                        const struct cat_model *model, struct search_control *control);

/* Of a structure's read-modify-writes, by their read halves `a` and `b`: can they not
 * both read from `write`? */
bool rmw_exclusion_holds(struct rmw_exclusion *exclusion, const struct structure *structure, unsigned a, unsigned b,
                         unsigned write);

#endif
