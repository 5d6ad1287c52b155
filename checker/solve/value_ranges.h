/* SPDX-License-Identifier: MIT */
/* How large values can get.
 *
 * A value that depends on itself is none (exec/search/value_propagation.h), so that what a read returns comes
 * from constants over a chain in which no event is twice.  As many rounds as there are
 * writes, in each of which values move from writes to reads once, so find bounds of all
 * values, also where they would go on growing.  Then what each path asks of its reads narrows them.
 */
#ifndef LITSCOPE_SOLVE_VALUE_RANGES_H
#define LITSCOPE_SOLVE_VALUE_RANGES_H

#include "checker/exec/paths/expression_range.h"
#include "checker/solve/path_tree.h"

struct value_ranges {
  struct range *of; /* by event: empty where no path leads to it; of those without a value any */
  bool *possible;   /* by node: of a leaf, and where ways meet, the conditions up to there can hold */
};

/* Where values may depend on themselves, reads have any that their paths allow. */
struct value_ranges ranges_find(struct arena *arena, const struct tree *tree, bool thin_air);

/* Bits of a vector that holds all of a range. */
unsigned range_bits(struct range range);

/* May one value lie in both? */
static inline bool ranges_meet(struct range a, struct range b) {
  return a.low <= b.high && b.low <= a.high;
}

#endif
