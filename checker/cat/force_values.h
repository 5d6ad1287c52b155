/* SPDX-License-Identifier: MIT */
/* Nodes forced to words on one candidate, and orders listed. */
#ifndef LITSCOPE_CAT_FORCE_VALUES_H
#define LITSCOPE_CAT_FORCE_VALUES_H

#include "checker/cat/evaluate.h"

struct force {
  struct arena *arena;
  const struct cat_env *env;
  const word **base; /* values of the model's own nodes */
  uint32_t base_count;
};

/* Calls `each` for every order of a VALUE_ORDERS, until it returns false.
 * False: its events or the relation are not known. */
bool force_orders(struct eval *e, const struct value *orders, void *context,
                  bool (*each)(void *context, const word *order));

/* The words of a node under the candidate; NULL while loading or when the node
 * belongs to a recursive definition that is not finished. */
const word *force_node(struct eval *e, uint32_t node);
struct shape force_shape(const struct eval *e);
/* Has the caller of the interpreter asked to stop? */
bool force_stopped(const struct eval *e);

/* The computed form (VALUE_SET) of CLASSES, PARTS and ORDERS; others as they are. */
const struct value *force_set(struct eval *e, const struct value *value);

#endif
