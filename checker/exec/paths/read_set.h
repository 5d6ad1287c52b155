/* SPDX-License-Identifier: MIT */
/* Sets of a path's reads, on which values and control flow depend. */
#ifndef LITSCOPE_EXEC_PATHS_READ_SET_H
#define LITSCOPE_EXEC_PATHS_READ_SET_H

#include "checker/base/arena.h"

/* Immutable, ascending; shared between states. */
struct reads {
  unsigned count;
  unsigned at[];
};

extern const struct reads no_reads;

const struct reads *reads_union(struct arena *arena, const struct reads *a, const struct reads *b);
const struct reads *reads_one(struct arena *arena, unsigned read);

#endif
