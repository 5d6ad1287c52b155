/* SPDX-License-Identifier: MIT */
/* Nodes forced to words on one candidate. */
#ifndef LITSCOPE_CAT_NODE_VALUES_ON_CANDIDATE_H
#define LITSCOPE_CAT_NODE_VALUES_ON_CANDIDATE_H

#include "checker/cat/evaluate_expressions.h"

struct force {
  struct arena *arena;
  const struct cat_env *env;
  const word **base; /* values of the model's own nodes */
  uint32_t base_count;
};

/* The words of a node under the candidate; NULL while loading or when the node
 * belongs to a recursive definition that is not finished. */
const word *force_node(struct eval *e, uint32_t node);
struct shape force_shape(const struct eval *e);
/* Has the caller of the interpreter asked to stop? */
bool force_stopped(const struct eval *e);

#endif
