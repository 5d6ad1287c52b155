/* SPDX-License-Identifier: MIT */
/* One operation of a model's graph on concrete sets and relations: the one
 * evaluator that the bounds of the search (exec/deductions/bounds.h), evaluate()
 * (exec/evaluate_model_on_execution.h) and the interpreter (node_values_on_candidate.h) stand on. */
#ifndef LITSCOPE_CAT_NODE_OPERATORS_H
#define LITSCOPE_CAT_NODE_OPERATORS_H

#include "checker/base/rel.h"
#include "checker/cat/ir.h"

/* Words of a node's value. */
static inline size_t node_words(struct shape s, enum cat_type type) {
  return type == CAT_SET ? set_words(s) : rel_words(s);
}

/* Which operand of a composition is the identity on a set: then it is a mask. */
enum node_mask { MASK_NONE, MASK_ROWS, MASK_COLUMNS };

static inline enum node_mask node_mask(const struct cat_node *node, enum cat_op a, enum cat_op b) {
  if (node->op != CAT_SEQ) return MASK_NONE;
  return a == CAT_TOID ? MASK_ROWS : b == CAT_TOID ? MASK_COLUMNS : MASK_NONE;
}

/* out := op(a, b) for every op but CAT_BASE and CAT_REC.  `a` and `b` are the
 * operands' values, NULL for those that the op does not have.  out may not alias
 * a or b. */
void node_apply(struct shape s, const struct cat_node *node, enum node_mask mask, word *out, const word *a,
                const word *b);

/* The same for node `index` of a model. */
static inline void node_apply_in(struct shape s, const struct cat_ir *ir, uint32_t index, word *out, const word *a,
                                 const word *b) {
  const struct cat_node *node = &ir->nodes[index];
  enum node_mask mask = a && b ? node_mask(node, ir->nodes[node->a].op, ir->nodes[node->b].op) : MASK_NONE;
  node_apply(s, node, mask, out, a, b);
}

/* The condition of a check on its node's value, of this type, without negation.
 * `scratch` holds a set. */
bool node_check(struct shape s, enum cat_check_kind kind, enum cat_type type, const word *value, word *scratch);

#endif
