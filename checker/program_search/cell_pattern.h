/* SPDX-License-Identifier: MIT */
/* Which cells of a mapping allow less than others.
 *
 * A cell is *within* a pattern, which is a cell too, if it is the pattern with some
 * steps left out, flushes and invalidations narrowed from the device to the
 * work-group, and locks left out or held for less; the access is the same.  On the
 * baseline GPU every outcome of a program under the pattern is one under the cell.
 * Take a run under the pattern, and leave out what the cell has not:
 *
 *   a FLU       does nothing but wait for write-backs, which may happen all the same;
 *   an INV      drops clean lines and marks dirty ones.  A line that is kept can be
 *               fetched wherever the dropped one was, and until then nobody read that;
 *               a dirty line that is not marked is written back at the same moment,
 *               and nobody read the marked one;
 *   LK, LK_rmw  keep others from steps, and nobody from being left alone.
 *
 * So what refutes the pattern by an outcome refutes all cells within it, each with any
 * others of which the same holds.  This says nothing of deadlocks, nor of machines whose
 * INV loses writes or whose caches are full.
 */
#ifndef LITSCOPE_PROGRAM_SEARCH_CELL_PATTERN_H
#define LITSCOPE_PROGRAM_SEARCH_CELL_PATTERN_H

#include "hwsem/mapping.h"

bool pattern_covers(const struct mapping_cell *pattern, const struct mapping_cell *cell);

/* A pattern that has the cell within it, and that a test still accepts: the strongest,
 * by trying what makes it stronger, most at once first.  `steps`: a side of the access
 * takes so many of any kind.  In `arena`. */
const struct mapping_cell *pattern_strengthen(struct arena *arena, const struct mapping_cell *cell, unsigned steps,
                                              bool (*accepts)(void *context, const struct mapping_cell *pattern),
                                              void *context);

/* What mapping_cell_print wrote, of the GPU's alphabet; NULL: it is not that. */
struct mapping_cell *pattern_parse(struct arena *arena, const char *text, enum mapping_kind kind);

#endif
