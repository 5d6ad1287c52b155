/* SPDX-License-Identifier: MIT */
/* The predefined names as the model sees them: with read-modify-writes of two
 * events, or of one. */
#ifndef LITSCOPE_CAT_ONE_EVENT_RMW_H
#define LITSCOPE_CAT_ONE_EVENT_RMW_H

#include "checker/cat/evaluate_expressions.h"

uint32_t predefined_base(struct eval *e, enum cat_base base);
uint32_t predefined_tag(struct eval *e, const char *tag);
uint32_t predefined_builtin(struct eval *e, const struct builtin *builtin); /* of kind BASE */
uint32_t predefined_full(struct eval *e, enum cat_type type);
/* As graph_unary, within the events that the model sees. */
uint32_t predefined_unary(struct eval *e, enum cat_op op, uint32_t a);

#endif
