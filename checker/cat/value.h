/* SPDX-License-Identifier: MIT */
/* Values of the language, and sets of values.
 *
 * Sets and relations of events are nodes of a graph.  When a model is loaded
 * nothing more is known of them, and what depends on more is VALUE_LATER; the
 * interpreter can force nodes to words, so that nothing is left for later.
 */
#ifndef LITSCOPE_CAT_VALUE_H
#define LITSCOPE_CAT_VALUE_H

#include "checker/cat/builtins.h"
#include "checker/cat/operation_graph.h"
#include "checker/cat/syntax.h"

struct eval;

enum value_kind {
  VALUE_NODE,  /* a set or relation: a node of the graph */
  VALUE_NONE,  /* {}: the empty set of anything */
  VALUE_ALL,   /* _: all events, or all pairs */
  VALUE_EVENT, /* one event, taken from a set by match */
  VALUE_PAIR,  /* one pair, taken from a relation */
  VALUE_TUPLE,
  VALUE_TAG,
  VALUE_SET,     /* a set of values, in canonical order */
  VALUE_CLASSES, /* the events of a set, by location: not computed yet */
  VALUE_PARTS,   /* for each location the set of its orders: not computed yet */
  VALUE_ORDERS,  /* a set of orders: not computed yet */
  VALUE_CLOSURE,
  VALUE_PRIMITIVE,
  VALUE_PROCEDURE,
  VALUE_LATER /* known only when a candidate is */
};

struct value {
  enum value_kind kind;
  uint32_t node;              /* NODE; CLASSES, PARTS, ORDERS: the events */
  uint32_t order;             /* PARTS, ORDERS: the relation to extend */
  bool by_location;           /* ORDERS: one order for each location, combined */
  bool of_relations;          /* LATER: known to be a set of relations */
  bool firsts;                /* LATER: what PRIM_FIRSTS makes of the relation `node` */
  unsigned event[2];          /* EVENT, PAIR */
  const struct value **items; /* TUPLE, SET */
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
  const struct value *value; /* NULL: its definition is wrong, see `error` */
  const struct diag *error;  /* with its notes, up to one without a message: reported when the name is used */
  const struct binding *next;
};

struct value *value_new(struct eval *e, enum value_kind kind);
const struct value *value_of_kind(struct eval *e, enum value_kind kind);
const struct value *value_node(struct eval *e, uint32_t node);

/* What messages call a value: "a set of events", "a relation", "a function". */
const char *value_describe(const struct eval *e, const struct value *value);

/* Is it the constant empty set or relation? */
bool value_is_empty(const struct eval *e, const struct value *value);

/* Can it be told from other values already? */
bool value_is_known(const struct eval *e, const struct value *value);

/* ---- sets of values ---------------------------------------------------- */

/* Is it a set of values (and not of events or pairs), or a tag, which stands
 * for the set of itself? */
bool value_is_set(const struct value *value);

/* Such a value as a VALUE_SET; VALUE_LATER when its elements are not known. */
const struct value *value_as_set(struct eval *e, const struct value *value);

/* The order of values in sets. */
int value_compare(struct eval *e, const struct value *a, const struct value *b);

/* Position of a value in a VALUE_SET, or where it would stand. */
bool value_find(struct eval *e, const struct value *set, const struct value *item, unsigned *at);

/* A VALUE_SET with one more element; VALUE_LATER when it cannot be told from
 * the others. */
const struct value *value_insert(struct eval *e, const struct value *set, const struct value *item);

/* Joins two sets, keeping elements that are only in a, in both, only in b. */
const struct value *value_merge(struct eval *e, const struct value *a, const struct value *b, const bool keep[3]);

#endif
