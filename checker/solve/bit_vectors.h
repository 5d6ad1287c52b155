/* SPDX-License-Identifier: MIT */
/* Values as bit vectors.
 *
 * A vector has as many bits as its value may need, the last one being its sign, and at
 * most 64: sums and products grow by the bits that they need, and wrap at 64 as the
 * program's do.
 */
#ifndef LITSCOPE_SOLVE_BIT_VECTORS_H
#define LITSCOPE_SOLVE_BIT_VECTORS_H

#include "checker/base/arena.h"
#include "checker/program/program.h"
#include "checker/solve/sat.h"

struct bits {
  unsigned count; /* at least 1 */
  int *at;        /* literals, the lowest bit first */
};

struct bits bits_constant(struct arena *arena, int64_t value);

/* Any value of so many bits. */
struct bits bits_variable(struct arena *arena, struct sat *sat, unsigned count);

/* Bit `i`, beyond the last the sign. */
static inline int bits_at(struct bits b, unsigned i) {
  return b.at[i < b.count ? i : b.count - 1];
}

/* Can the operator be told in bits?  Not floating point. */
bool bits_can(enum expr_kind kind);

/* The meaning of an operator; operands that it does not have are not looked at. */
struct bits bits_apply(struct arena *arena, struct sat *sat, enum expr_kind kind, struct bits a, struct bits b,
                       struct bits c);

/* Are they equal; is it not zero? */
int bits_equal(struct sat *sat, struct bits a, struct bits b);
int bits_truth(struct sat *sat, struct bits a);

/* If `condition` holds, they are equal. */
void bits_require_equal(struct sat *sat, int condition, struct bits a, struct bits b);

/* The value in the solver's answer. */
int64_t bits_value(const struct sat *sat, struct bits a);

#endif
