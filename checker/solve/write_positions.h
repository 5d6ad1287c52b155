/* SPDX-License-Identifier: MIT */
/* Places in the order of a location's writes, for the solver to count with.
 *
 * That sixteen increments make sixteen takes resolution exponentially many steps over an
 * order of pairs, and few over a table: which write that is executed is the first, the second, and so on,
 * and what the location holds then.  All of this follows from what the formula says; it is
 * only said again.
 */
#ifndef LITSCOPE_SOLVE_WRITE_POSITIONS_H
#define LITSCOPE_SOLVE_WRITE_POSITIONS_H

#include "checker/solve/formula.h"

/* Of a location's writes: all but the initial one.  `follows`, by these: the write is half of a read-modify-write that
 * sees the write right before it. */
void positions_add(struct arena *arena, const struct formula *f, const unsigned *writes, unsigned count,
                   const bool *follows);

#endif
