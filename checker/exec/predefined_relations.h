/* SPDX-License-Identifier: MIT */
/* The sets and relations that models find under predefined names (cat/builtin_table.h), on one execution: `R`, `po`,
 * `loc`, `sr`. */
#ifndef LITSCOPE_EXEC_PREDEFINED_RELATIONS_H
#define LITSCOPE_EXEC_PREDEFINED_RELATIONS_H

#include "checker/cat/cat.h"
#include "checker/exec/execution.h"

/* The predefined sets of the events with an order, or with a scope. */
enum cat_base execution_order_set(enum order order);
enum cat_base execution_scope_set(enum scope scope); /* BASE_COUNT: of no scope */

/* Value of one predefined name, with the tags that have it too (cat_node.tags):
 * also what the interpreter (cat_env.base) needs. */
const word *execution_base(struct arena *arena, const struct execution *execution, enum cat_base base, tag_set tags);

/* The accesses of a complete execution that have the same value: n * w words. */
void execution_same_values(const struct execution *execution, word *out);

/* Value of a node that is a predefined name or an annotation of the program's text. */
const word *execution_node(struct arena *arena, const struct execution *execution, const struct cat_node *node);

#endif
