/* SPDX-License-Identifier: MIT */
/* What each location may hold, as far as the program's text says: before any path is known, so that paths need not fork
 * on indices that come from memory, such as the number of a work-group that it has drawn. */
#ifndef LITSCOPE_SOLVE_LOCATION_RANGES_H
#define LITSCOPE_SOLVE_LOCATION_RANGES_H

#include "checker/exec/paths/expression_range.h"

/* By location: all that it may hold.  `thin_air`: values may depend on themselves, and are then any.  NULL: nothing is
 * known. */
const struct range *location_ranges(struct arena *arena, const struct program *program, bool thin_air);

#endif
