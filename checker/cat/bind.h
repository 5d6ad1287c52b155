/* SPDX-License-Identifier: MIT */
/* Names: what they mean, and how let gives them their meaning. */
#ifndef LITSCOPE_CAT_BIND_H
#define LITSCOPE_CAT_BIND_H

#include "checker/cat/evaluate_expressions.h"

/* What a name means: NULL after reporting that it means nothing. */
const struct value *eval_name(struct eval *e, const struct binding *env, struct symbol *symbol,
                              const struct source *source, struct span span);

const struct binding *bind_name(struct eval *e, const struct binding *env, struct symbol *symbol,
                                const struct value *value);

/* Binds a pattern's names to a value; reports a mismatch and clears *ok. */
const struct binding *bind_pattern(struct eval *e, const struct binding *env, const struct pattern *pattern,
                                   const struct value *value, const struct exp *where, bool *ok);

/* A let, or let rec. */
struct let {
  const struct binding_syntax *bindings;
  unsigned count;
  bool recursive;
};

/* Adds its bindings; clears *ok after an error.  With `defer`, wrong definitions are
 * reported when they are used. */
const struct binding *eval_bindings(struct eval *e, const struct binding *env, struct let let, bool defer, bool *ok);

/* A function value; it sees `env`. */
struct value *eval_closure(struct eval *e, const struct binding *env, const struct exp *exp);

#endif
