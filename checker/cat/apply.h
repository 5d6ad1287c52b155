/* SPDX-License-Identifier: MIT */
/* Functions: closures, primitives, tuples applied to arguments. */
#ifndef LITSCOPE_CAT_APPLY_H
#define LITSCOPE_CAT_APPLY_H

#include "checker/cat/evaluate_expressions.h"

/* function argument */
const struct value *eval_apply(struct eval *e, const struct binding *env, const struct exp *exp);

/* The primitive that a library's definition of a name is known to be; NULL: none. */
const struct value *eval_known_function(struct eval *e, const struct symbol *symbol, const struct exp *exp);

#endif
