/* SPDX-License-Identifier: MIT */
/* The evaluator of expressions.
 *
 * One evaluator serves twice: symbolically when a model is loaded, and on a
 * candidate when the interpreter runs the rest of a model.  A value is NULL
 * after an error, which has been reported unless the evaluator is inside `try`.
 */
#ifndef LITSCOPE_CAT_EVALUATE_H
#define LITSCOPE_CAT_EVALUATE_H

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
  uint32_t *views;              /* view.c: by base, node + 1; NULL: the engine's events as they are */
  bool rmw_set, rmw_relation;   /* what the model takes read-modify-writes for */
  unsigned silent;              /* inside `try`: errors are not reported */
  unsigned depth;
  uint64_t steps, step_limit;
  bool broken;            /* a limit was met, or the run was stopped: nothing has a value any more */
  const struct exp *here; /* being evaluated */
  struct force *force;    /* NULL while loading */
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

/* ---- bind.c: names ----------------------------------------------------- */

/* What a name means: NULL after reporting that it means nothing. */
const struct value *eval_name(struct eval *e, const struct binding *env, struct symbol *symbol,
                              const struct source *source, struct span span);

const struct binding *bind_name(struct eval *e, const struct binding *env, struct symbol *symbol,
                                const struct value *value);

/* Binds a pattern's names to a value; reports a mismatch and clears *ok. */
const struct binding *bind_pattern(struct eval *e, const struct binding *env, const struct pattern *pattern,
                                   const struct value *value, const struct exp *where, bool *ok);

/* Adds the bindings of a let or let rec; clears *ok after an error.  With
 * `defer`, wrong definitions are reported when they are used. */
const struct binding *eval_bindings(struct eval *e, const struct binding *env, const struct binding_syntax *bindings,
                                    unsigned count, bool recursive, bool defer, bool *ok);

/* A function value; it sees `env`. */
struct value *eval_closure(struct eval *e, const struct binding *env, const struct exp *exp);

/* ---- apply.c: functions -------------------------------------------------- */

/* function argument */
const struct value *eval_apply(struct eval *e, const struct binding *env, const struct exp *exp);

/* The primitive that a library's definition of a name is known to be; NULL: none. */
const struct value *eval_known_function(struct eval *e, const struct symbol *symbol, const struct exp *exp);

/* ---- match.c: decisions ------------------------------------------------- */

const struct value *eval_match(struct eval *e, const struct binding *env, const struct exp *exp);
const struct value *eval_match_set(struct eval *e, const struct binding *env, const struct exp *exp);
const struct value *eval_if(struct eval *e, const struct binding *env, const struct exp *exp);
const struct value *eval_try(struct eval *e, const struct binding *env, const struct exp *exp);

bool eval_variants(struct eval *e, const struct condition *condition);

/* The type that operands agree on; -1 if they are all polymorphic. */
int eval_common_type(struct eval *e, const struct value *const *values, unsigned count);

/* ---- view.c: the predefined names as the model sees them ---------------- */

uint32_t view_base(struct eval *e, enum cat_base base);
uint32_t view_tag(struct eval *e, const char *tag);
uint32_t view_builtin(struct eval *e, const struct builtin *builtin); /* of kind BASE */
uint32_t view_full(struct eval *e, enum cat_type type);
/* As graph_unary, within the events that the model sees. */
uint32_t view_unary(struct eval *e, enum cat_op op, uint32_t a);

/* ---- interp.c: what needs a candidate --------------------------------- */

/* The words of a node under the candidate; NULL while loading or when the node
 * belongs to a recursive definition that is not finished. */
const word *force_node(struct eval *e, uint32_t node);
struct shape force_shape(const struct eval *e);
/* Has the caller of the interpreter asked to stop? */
bool force_stopped(const struct eval *e);

/* The computed form (VALUE_SET) of CLASSES, PARTS and ORDERS; others as they are. */
const struct value *force_set(struct eval *e, const struct value *value);

#endif
