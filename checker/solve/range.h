/* SPDX-License-Identifier: MIT */
/* How large values can get.
 *
 * A value that hangs on itself is none (exec/search/value_propagation.h), so that what a read returns comes
 * from constants over a chain in which no event is twice.  As many rounds as there are
 * writes, in each of which values move from writes to reads once, so find bounds of all
 * values, also where they would go on growing.
 */
#ifndef LITSCOPE_SOLVE_RANGE_H
#define LITSCOPE_SOLVE_RANGE_H

#include "checker/solve/tree.h"

struct range {
  int64_t least, most;
};

/* By event; those without a value have any, and so do all reads where values may hang on themselves. */
struct range *ranges_find(struct arena *arena, const struct tree *tree, bool thin_air);

/* Bits of a vector that holds all of a range. */
unsigned range_bits(struct range range);

/* May one value lie in both? */
static inline bool ranges_meet(struct range a, struct range b) {
  return a.least <= b.most && b.least <= a.most;
}

#endif
