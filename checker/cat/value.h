/* Values of the language, and the evaluator of expressions.
 *
 * One evaluator serves twice.  When a model is loaded, sets and relations are
 * nodes of its graph, and what cannot be known yet is VALUE_LATER.  When the
 * interpreter runs the rest of a model on a candidate, the same nodes can be
 * forced to words, so nothing is left for later.
 */
#ifndef LITSCOPE_CAT_VALUE_H
#define LITSCOPE_CAT_VALUE_H

#include "cat/builtins.h"
#include "cat/cat.h"
#include "cat/graph.h"
#include "cat/syntax.h"

enum value_kind {
  VALUE_NODE,      /* a set or relation: a node of the graph */
  VALUE_NONE,      /* {}: the empty set of anything */
  VALUE_ALL,       /* _: all events, or all pairs */
  VALUE_EVENT,     /* one event, taken from a set by match */
  VALUE_PAIR,      /* one pair, taken from a relation */
  VALUE_TUPLE,
  VALUE_TAG,
  VALUE_SET,       /* a set of values, in canonical order */
  VALUE_CLASSES,   /* the events of a set, by location: not computed yet */
  VALUE_PARTS,     /* for each location the set of its orders: not computed yet */
  VALUE_ORDERS,    /* a set of orders: not computed yet */
  VALUE_CLOSURE,
  VALUE_PRIMITIVE,
  VALUE_PROCEDURE,
  VALUE_LATER      /* known only when a candidate is */
};

struct value {
  enum value_kind kind;
  uint32_t node;               /* NODE; CLASSES, PARTS, ORDERS: the events */
  uint32_t order;              /* PARTS, ORDERS: the relation to extend */
  bool by_location;            /* ORDERS: one order for each location, combined */
  bool of_relations;           /* LATER: known to be a set of relations */
  unsigned event[2];           /* EVENT, PAIR */
  const struct value **items;  /* TUPLE, SET */
  unsigned count;
  struct symbol *tag, *enumeration; /* TAG */
  enum primitive primitive;
  const struct exp *function;        /* CLOSURE: its EXP_FUN */
  const struct statement *procedure; /* PROCEDURE */
  const struct binding *env;         /* CLOSURE, PROCEDURE: what they see */
};

/* Names in sight, innermost first. */
struct binding {
  struct symbol *symbol;
  const struct value *value;   /* NULL: its definition is wrong, see `error` */
  const struct diag *error;    /* reported when the name is used */
  const struct binding *next;
};

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
  bool broken;                  /* a limit was met, or the run was stopped: nothing has a value any more */
  const struct exp *here;       /* being evaluated */
  struct force *force;          /* NULL while loading */
};

/* Counts work done.  False, after an error, when it was too much. */
bool eval_spend(struct eval *e, uint64_t steps);

/* Evaluates.  NULL after an error (reported unless silent). */
const struct value *eval_exp(struct eval *e, const struct binding *env, const struct exp *exp);

/* The node of a set or relation value, as `type` if it can be; UINT32_MAX after
 * an error.  `*later` is set, and UINT32_MAX returned, when it is not known yet. */
uint32_t eval_node(struct eval *e, const struct value *value, enum cat_type type, const struct exp *exp, bool *later);

/* Adds the bindings of a let or let rec.  With `defer`, wrong definitions are
 * reported when they are used.  NULL after an error. */
const struct binding *eval_bindings(struct eval *e, const struct binding *env, const struct binding_syntax *bindings,
                                    unsigned count, bool recursive, bool defer, bool *ok);

const struct binding *bind_name(struct eval *e, const struct binding *env, struct symbol *symbol,
                                const struct value *value);

/* Binds a pattern's names to a value; reports a mismatch and clears *ok. */
const struct binding *bind_pattern(struct eval *e, const struct binding *env, const struct pattern *pattern,
                                   const struct value *value, const struct exp *where, bool *ok);

/* What a name means: NULL after reporting that it means nothing. */
const struct value *eval_name(struct eval *e, const struct binding *env, struct symbol *symbol,
                              const struct source *source, struct span span);

/* 1, 0; -1 after an error; -2: not known yet. */
int eval_condition(struct eval *e, const struct binding *env, const struct condition *condition,
                   const struct exp *where);
bool eval_variants(struct eval *e, const struct condition *condition);

const struct value *value_node(struct eval *e, uint32_t node);
const struct value *value_of_kind(struct eval *e, enum value_kind kind);

/* What messages call a value: "a set", "a relation", "a function"... */
const char *value_describe(const struct eval *e, const struct value *value);

/* Order of values in sets; forces nodes.  */
int value_compare(struct eval *e, const struct value *a, const struct value *b);

/* A VALUE_SET with one more element, or VALUE_LATER when it cannot be told from
 * the others yet. */
const struct value *value_insert(struct eval *e, const struct value *set, const struct value *item);

void eval_error(struct eval *e, const struct source *source, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- view.c: the predefined names as the model sees them ---------------- */

uint32_t view_base(struct eval *e, enum cat_base base);
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
