/* SPDX-License-Identifier: MIT */
/* Parts of expressions that are met again.
 *
 * Expressions share parts: of one in which each step uses the last twice, as those of hash functions do, a walk from
 * the root down meets the innermost part 2^n times.  Most are small, and walked so; a large one (expr_is_large) is
 * walked by its distinct parts, whose numbers are here.
 */
#ifndef LITSCOPE_PROGRAM_SHARED_SUBEXPRESSIONS_H
#define LITSCOPE_PROGRAM_SHARED_SUBEXPRESSIONS_H

#include "checker/base/hash_table.h"
#include "checker/base/vec.h"
#include "checker/program/program.h"

struct shared_subexpressions {
  struct arena *arena;
  VEC(const struct expr *) list; /* by number */
  struct hash_table table;
};

/* The part's number, in the order in which they were first asked for; *again: it was asked for before. */
uint32_t shared_subexpression(struct shared_subexpressions *parts, const struct expr *part, bool *again);

#endif
