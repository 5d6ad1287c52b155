/* SPDX-License-Identifier: MIT */
/* Ranges of values, what comes of operations on them, and what comparisons leave of them. */
#ifndef LITSCOPE_PROGRAM_VALUE_RANGE_H
#define LITSCOPE_PROGRAM_VALUE_RANGE_H

#include "checker/program/program.h"

/* Both ends belong to it; empty if they are the wrong way round. */
struct range {
  int64_t low, high;
};

extern const struct range range_any, range_none;

static inline bool range_is_empty(struct range r) {
  return r.low > r.high;
}

static inline bool range_is_number(struct range r) {
  return r.low == r.high;
}

static inline struct range range_number(int64_t number) {
  return (struct range){number, number};
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

/* Of an operation on two values of these ranges, which are not empty. */
struct range range_of_two(enum expr_kind kind, struct range a, struct range b);

/* Of a sum and of a difference. */
struct range range_sum(struct range a, struct range b);
struct range range_difference(struct range a, struct range b);

/* The factor of a shift to the left by a number, if it is one; 0: none. */
int64_t range_shift_factor(struct range by);

/* Of a range, what is left without a number at its end. */
struct range range_all_but(int64_t number, struct range r);

/* What is left of a range by a comparison with a value of another, which holds or does not; and the comparison with its
 * sides exchanged. */
struct range range_compared(struct range r, enum expr_kind kind, struct range other, bool holds);
enum expr_kind range_mirrored(enum expr_kind kind);

#endif
