/* SPDX-License-Identifier: MIT */
/* The evaluator of expressions.
 *
 * One evaluator serves twice: symbolically when a model is loaded, and on a
 * candidate when the interpreter runs the rest of a model.  A value is NULL
 * after an error, which has been reported unless the evaluator is inside `try`.
 */
#ifndef LITSCOPE_CAT_EVALUATE_EXPRESSIONS_H
#define LITSCOPE_CAT_EVALUATE_EXPRESSIONS_H

#include "checker/base/vec.h"
#include "checker/cat/cat.h"
#include "checker/cat/value.h"

struct eval {
  struct arena *arena;
  struct graph *graph;
  struct symbols *symbols;
  struct diags *diags;
  const char *const *variants;
  unsigned variant_count;
  const struct value **defined; /* the predefined names in cat, by index, once evaluated */
  uint32_t *views;              /* one_event_rmw.c: by base, node + 1; NULL: the engine's events as they are */
  bool rmw_relation;            /* the model speaks of the relation between the halves of read-modify-writes */
  VEC(const struct diag *)
  unused_errors;   /* of definitions of the model's own file that are wrong and not used so far */
  bool legacy;     /* a model of the 2015 herd */
  bool growing;    /* in recursive definitions that add to themselves, which need not be monotone */
  bool plain;      /* for programs without annotations: no event has a tag */
  unsigned silent; /* inside `try`: errors are not reported */
  unsigned depth;
  uint64_t steps, step_limit;
  bool broken;            /* a limit was reached, or the run was stopped: nothing has a value any more */
  const struct exp *here; /* being evaluated */
  struct force *force;    /* NULL while loading */
  struct bell *bell;      /* where declarations of annotations are kept; NULL: nowhere */
};

const struct value *eval_exp(struct eval *e, const struct binding *env, const struct exp *exp);

/* No node: after an error, or when it is not known yet. */
#define EVAL_NO_NODE UINT32_MAX

/* The node of a set or relation, as `type` if it can be.  EVAL_NO_NODE after an
 * error, or with *later when it is not known yet. */
uint32_t eval_node(struct eval *e, const struct value *value, enum cat_type type, const struct exp *exp, bool *later);

/* Counts work done.  False, after an error, when it was too much. */
bool eval_spend(struct eval *e, uint64_t steps);

void eval_error(struct eval *e, const struct source *source, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reports an error at an expression; the value NULL. */
#define EVAL_FAIL(e, exp, ...) (eval_error((e), (exp)->source, (exp)->span, __VA_ARGS__), NULL)

#endif
