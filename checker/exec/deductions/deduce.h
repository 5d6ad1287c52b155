/* SPDX-License-Identifier: MIT */
/* What derivatives decide in a partial candidate. */
#ifndef LITSCOPE_EXEC_DEDUCTIONS_DEDUCE_H
#define LITSCOPE_EXEC_DEDUCTIONS_DEDUCE_H

#include "checker/exec/search/partial_candidate.h"

/* Rules out the pairs that are forbidden and takes those that are required, as
 * far as they are open; sets *moved when some were.  False when that leaves no
 * choice. */
bool deduce(const struct frames *all, struct frame *f, const struct choice_pairs *forbidden,
            const struct choice_pairs *required, bool *moved);

#endif
