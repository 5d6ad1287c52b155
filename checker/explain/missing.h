/* SPDX-License-Identifier: MIT */
/* What is missing between two accesses that race, in the words of whoever wrote the kernel. */
#ifndef LITSCOPE_EXPLAIN_MISSING_H
#define LITSCOPE_EXPLAIN_MISSING_H

#include "checker/exec/execution.h"

/* `the store of flag[0] (P0 line 14) has the scope of a work-group, and P1 is in another`: what would have ordered the
 * events, as far as the execution shows it: an atomic through which one thread sees what the other has done, with too
 * weak an order or too small a scope; a barrier of other memory; nothing at all.  A hint, in `arena`: the model has
 * decided already.  `vulkan`: accesses may be private. */
const char *missing_between(struct arena *arena, const struct execution *x, unsigned a, unsigned b, bool vulkan);

#endif
