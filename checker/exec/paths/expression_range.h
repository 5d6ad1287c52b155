/* SPDX-License-Identifier: MIT */
/* Ranges of values: what an expression over a thread's reads may be, and what a condition says of them. */
#ifndef LITSCOPE_EXEC_PATHS_EXPRESSION_RANGE_H
#define LITSCOPE_EXEC_PATHS_EXPRESSION_RANGE_H

#include "checker/program/program.h"

/* Both ends belong to it; empty if they are the wrong way round. */
struct range {
  int64_t low, high;
};

extern const struct range range_any, range_none;

static inline bool range_is_empty(struct range r) {
  return r.low > r.high;
}

/* All of both, of two that are not empty. */
struct range range_join(struct range a, struct range b);

/* Widens a range, which may be empty, by another; false: it was as wide. */
bool range_widen(struct range *range, struct range by);

/* What a location holds at first: where that is not known, whatever fits in it. */
struct range range_at_first(const struct location *location);

/* What is in both; empty where nothing is. */
static inline struct range range_meet(struct range a, struct range b) {
  return (struct range){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

/* Of an expression (EXPR_REG: a read of the path, by its event) whose reads have those ranges. Empty where it needs a
 * read whose range is. */
struct range range_of(const struct expr *e, const struct range *reads);

/* Narrows the ranges of reads to what goes with the condition; those of which it says nothing simple stay.  False: no
 * values of the ranges meet it. */
bool range_require(const struct expr *condition, bool nonzero, struct range *reads);

#endif
