/* SPDX-License-Identifier: MIT */
/* A model evaluated on one complete execution, for reports: every node of the
 * model's graph with its value.  (The enumerator has its own incremental
 * evaluator; tests compare the two.)
 */
#ifndef LITSCOPE_EXEC_EVALUATE_MODEL_ON_EXECUTION_H
#define LITSCOPE_EXEC_EVALUATE_MODEL_ON_EXECUTION_H

#include "checker/cat/cat.h"
#include "checker/exec/execution.h"

struct valuation {
  struct shape shape;
  const struct cat_ir *ir;
  const bool *wanted, *unknown; /* by node, as given */
  word **value;                 /* by node: w words for a set, n * w for a relation */
};

/* Does the check hold, negation and all? */
bool valuation_meets(const struct valuation *v, const struct cat_check *check);

/* Evaluates all nodes; everything lives in `arena`. */
struct valuation *evaluate(struct arena *arena, const struct cat_ir *ir, const struct execution *execution);

/* Only nodes that are wanted (NULL: all, or some with all that they stand on), and nothing in those that are unknown.
 */
struct valuation *evaluate_known(struct arena *arena, const struct cat_ir *ir, const struct execution *execution,
                                 const bool *wanted, const bool *unknown);

#endif
