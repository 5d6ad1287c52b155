/* SPDX-License-Identifier: MIT */
/* Decisions: match, if, try, and the types that operands agree on. */
#ifndef LITSCOPE_CAT_MATCH_IF_TRY_H
#define LITSCOPE_CAT_MATCH_IF_TRY_H

#include "checker/cat/evaluate_expressions.h"

const struct value *eval_match(struct eval *e, const struct binding *env, const struct exp *exp);
const struct value *eval_match_set(struct eval *e, const struct binding *env, const struct exp *exp);
const struct value *eval_if(struct eval *e, const struct binding *env, const struct exp *exp);
const struct value *eval_try(struct eval *e, const struct binding *env, const struct exp *exp);

/* Was the word given with -variant? */
bool eval_has_variant(const struct eval *e, const char *variant);

bool eval_variants(struct eval *e, const struct condition *condition);

/* The type that operands agree on; -1 if they are all polymorphic. */
int eval_common_type(struct eval *e, const struct value *const *values, unsigned count);

#endif
