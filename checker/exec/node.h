/* SPDX-License-Identifier: MIT */
/* One operation of a model's graph on concrete sets and relations: shared by
 * the interval evaluator of the search (bounds.c) and by evaluate() (eval.c). */
#ifndef LITSCOPE_EXEC_NODE_H
#define LITSCOPE_EXEC_NODE_H

#include "checker/base/rel.h"
#include "checker/cat/ir.h"

/* Words of a node's value. */
static inline size_t node_words(struct shape s, enum cat_type type) {
  return type == CAT_SET ? set_words(s) : rel_words(s);
}

/* out := op(a, b) for every op but CAT_BASE and CAT_REC.  `a` and `b` are the
 * operands' values (b may be NULL for unary ops), `ir` tells the operands' own
 * operations: composition with [S] is a mask.  out may not alias a or b. */
void node_apply(struct shape s, const struct cat_ir *ir, uint32_t node, word *out, const word *a, const word *b);

/* The condition of a check on its node's value, without negation. */
bool node_check(struct shape s, const struct cat_ir *ir, const struct cat_check *check, const word *value,
                word *scratch);

#endif
