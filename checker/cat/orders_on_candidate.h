/* SPDX-License-Identifier: MIT */
/* Total orders of a candidate's events that extend a relation, and sets of them. */
#ifndef LITSCOPE_CAT_ORDERS_ON_CANDIDATE_H
#define LITSCOPE_CAT_ORDERS_ON_CANDIDATE_H

#include "checker/cat/evaluate_expressions.h"

/* Calls `each` for every order of a VALUE_ORDERS, until it returns false.
 * False: its events or the relation are not known. */
bool force_orders(struct eval *e, const struct value *orders, void *context,
                  bool (*each)(void *context, const word *order));

/* The computed form (VALUE_SET) of CLASSES, PARTS and ORDERS; others as they are. */
const struct value *force_set(struct eval *e, const struct value *value);

#endif
