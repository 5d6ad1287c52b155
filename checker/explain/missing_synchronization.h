/* SPDX-License-Identifier: MIT */
/* What is missing between two accesses that race, in the words of whoever wrote the kernel. */
#ifndef LITSCOPE_EXPLAIN_MISSING_SYNCHRONIZATION_H
#define LITSCOPE_EXPLAIN_MISSING_SYNCHRONIZATION_H

#include "checker/exec/execution.h"

/* What would help, besides a stronger order or scope. */
enum missing_kind {
  MISSING_ORDER,
  MISSING_SHARING, /* an access is private: nothing can order it before it is declared to be of shared memory */
  MISSING_MEETING  /* nothing is between the two, of threads of one work-group, which a barrier could make meet */
};

struct missing {
  enum missing_kind kind;
  const char *text; /* NULL: it is not known */
};

/* `the store of flag[0] (P0 line 14) has the scope of a work-group, and P1 is in another`: what would have ordered the
 * events, as far as the execution shows it: an atomic through which one thread sees what the other has done, with too
 * weak an order or too small a scope; a barrier of other memory; nothing at all.  A hint, its text in `arena`: the
 * model has decided already.  `vulkan`: accesses may be private. */
struct missing missing_between(struct arena *arena, const struct execution *x, unsigned a, unsigned b, bool vulkan);

#endif
