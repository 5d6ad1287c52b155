/* SPDX-License-Identifier: MIT */
/* Ranges of values: what an expression over a thread's reads may be, and what a condition says of them. */
#ifndef LITSCOPE_EXEC_PATHS_EXPRESSION_RANGE_H
#define LITSCOPE_EXEC_PATHS_EXPRESSION_RANGE_H

#include "checker/program/value_range.h"

/* Of an expression (EXPR_REG: a read of the path, by its event) whose reads have those ranges. Empty where it needs a
 * read whose range is. */
struct range range_of(const struct expr *e, const struct range *reads);

/* Narrows the ranges of reads to what goes with the condition; those of which it says nothing simple stay.  False: no
 * values of the ranges meet it. */
bool range_require(const struct expr *condition, bool nonzero, struct range *reads);

#endif
