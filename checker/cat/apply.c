/* SPDX-License-Identifier: MIT */
/* Functions: the primitive ones, and application. */
#include "checker/cat/apply.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/cat/bind.h"
#include "checker/cat/node_values_on_candidate.h"
#include "checker/cat/one_event_rmw.h"
#include "checker/cat/orders_on_candidate.h"

/* An argument that must be a tuple of two. */
static bool take_two(struct eval *e, const struct value *argument, const struct exp *exp, const struct value *two[2]) {
  if (argument->kind == VALUE_TUPLE && argument->count == 2) {
    two[0] = argument->items[0];
    two[1] = argument->items[1];
    return true;
  }
  eval_error(e, exp->source, exp->span, "expected two arguments, found %s", value_describe(e, argument));
  return false;
}

/* Values that stand for computations over the events `node`, and the relation `order`. */
static const struct value *new_computation(struct eval *e, enum value_kind kind, uint32_t node, uint32_t order) {
  struct value *value = value_new(e, kind);
  value->node = node;
  value->order = order;
  return value;
}

static const struct value *linearisations(struct eval *e, const struct value *argument, const struct exp *exp) {
  const struct value *two[2];
  bool later = false;
  if (!take_two(e, argument, exp, two)) return NULL;
  uint32_t set = eval_node(e, two[0], CAT_SET, exp, &later);
  if (set == EVAL_NO_NODE && !later) return NULL;
  uint32_t order = eval_node(e, two[1], CAT_REL, exp, &later);
  if (order == EVAL_NO_NODE && !later) return NULL;
  return later ? value_of_kind(e, VALUE_LATER) : new_computation(e, VALUE_ORDERS, set, order);
}

static const struct value *co_locs(struct eval *e, const struct value *argument, const struct exp *exp) {
  const struct value *two[2];
  bool later = false;
  if (!take_two(e, argument, exp, two)) return NULL;
  uint32_t order = eval_node(e, two[0], CAT_REL, exp, &later);
  if (order == EVAL_NO_NODE && !later) return NULL;
  if (later || two[1]->kind == VALUE_LATER) return value_of_kind(e, VALUE_LATER);
  if (two[1]->kind == VALUE_CLASSES) return new_computation(e, VALUE_PARTS, two[1]->node, order);
  const struct value *classes = value_as_set(e, two[1]);
  if (classes->kind == VALUE_LATER) return classes;
  const struct value *parts = value_new(e, VALUE_SET);
  for (unsigned i = 0; i < classes->count && parts->kind == VALUE_SET; i++) {
    uint32_t set = eval_node(e, classes->items[i], CAT_SET, exp, &later);
    if (set == EVAL_NO_NODE) return NULL;
    parts = value_insert(e, parts, force_set(e, new_computation(e, VALUE_ORDERS, set, order)));
  }
  return parts;
}

/* All unions of one relation from each set; `rest` starts as {0}. */
static const struct value *cross_sets(struct eval *e, const struct value *sets, const struct exp *exp) {
  const struct value *result = value_new(e, VALUE_SET);
  result = value_insert(e, result, value_node(e, graph_empty(e->graph, CAT_REL)));
  for (unsigned i = 0; i < sets->count; i++) {
    const struct value *choices = value_as_set(e, sets->items[i]), *next = value_new(e, VALUE_SET);
    if (choices->kind == VALUE_LATER) return choices;
    for (unsigned j = 0; j < result->count; j++) {
      for (unsigned k = 0; k < choices->count && !e->broken; k++) {
        bool later = false;
        uint32_t node = eval_node(e, choices->items[k], CAT_REL, exp, &later);
        if (node == EVAL_NO_NODE) return later ? value_of_kind(e, VALUE_LATER) : NULL;
        next = value_insert(e, next, value_node(e, graph_binary(e->graph, CAT_UNION, result->items[j]->node, node)));
        if (next->kind == VALUE_LATER) return next;
      }
    }
    result = next;
  }
  return result;
}

/* Relations, but which ones a candidate must tell. */
static const struct value *later_relations(struct eval *e) {
  struct value *value = value_new(e, VALUE_LATER);
  value->of_relations = true;
  return value;
}

static const struct value *cross(struct eval *e, const struct value *argument, const struct exp *exp) {
  if (argument->kind == VALUE_LATER) return later_relations(e);
  if (argument->kind == VALUE_PARTS) {
    struct value *orders = value_new(e, VALUE_ORDERS);
    *orders = *argument;
    orders->kind = VALUE_ORDERS;
    orders->by_location = true;
    return orders;
  }
  if (argument->kind != VALUE_NONE && !value_is_set(argument))
    return EVAL_FAIL(e, exp, "expected a set of sets of relations, found %s", value_describe(e, argument));
  const struct value *sets = value_as_set(e, argument);
  const struct value *result = sets->kind == VALUE_LATER ? sets : cross_sets(e, sets, exp);
  return result && result->kind == VALUE_LATER ? later_relations(e) : result;
}

/* The classes of an equivalence on the events it relates. */
static const struct value *classes(struct eval *e, const struct value *argument, const struct exp *exp) {
  bool later = false;
  uint32_t node = eval_node(e, argument, CAT_REL, exp, &later);
  if (node == EVAL_NO_NODE && !later) return NULL;
  if (!later && graph_at(e->graph, node)->ir.op == CAT_EMPTY) return value_of_kind(e, VALUE_NONE);
  const word *words = later ? NULL : force_node(e, node);
  if (!words) return value_of_kind(e, VALUE_LATER);
  struct shape shape = force_shape(e);
  const struct value *result = value_new(e, VALUE_SET);
  for (unsigned i = 0; i < shape.n; i++) {
    const word *row = rel_row_const(shape, words, i);
    if (words_empty(set_words(shape), row)) continue;
    result = value_insert(e, result, value_node(e, graph_leaf(e->graph, CAT_SET, row)));
  }
  return result;
}

/* A class as the set of what it may choose: {x} * (class \ {x}) for each event x of it. */
static const struct value *firsts_of(struct eval *e, const struct value *class) {
  struct shape shape = force_shape(e);
  const word *events = force_node(e, class->node);
  const struct value *set = value_new(e, VALUE_SET);
  SET_EACH (x, shape.w, events) {
    word *first = ARENA_ARRAY(e->arena, word, rel_words(shape));
    words_copy(shape.w, rel_row(shape, first, x), events);
    rel_drop(shape, first, x, x);
    set = value_insert(e, set, value_node(e, graph_leaf(e->graph, CAT_REL, first)));
  }
  return set;
}

/* In every possible way one event of each class before all others of it. */
static const struct value *firsts(struct eval *e, const struct value *argument, const struct exp *exp) {
  const struct value *of = classes(e, argument, exp);
  if (!of) return NULL;
  if (of->kind == VALUE_LATER) {
    struct value *value = value_new(e, VALUE_LATER);
    bool later = false;
    value->of_relations = true;
    value->node = eval_node(e, argument, CAT_REL, exp, &later);
    value->firsts = !later;
    return value;
  }
  struct value *sets = value_new(e, VALUE_SET);
  sets->count = of->kind == VALUE_SET ? of->count : 0;
  sets->items = ARENA_ARRAY(e->arena, const struct value *, sets->count);
  for (unsigned i = 0; i < sets->count; i++) sets->items[i] = firsts_of(e, of->items[i]);
  return cross_sets(e, sets, exp);
}

/* Events with an annotation: a predefined set of that name in capitals, else a tag. */
static const struct value *tag2events(struct eval *e, const struct value *argument, const struct exp *exp) {
  if (argument->kind == VALUE_LATER) return argument;
  if (argument->kind != VALUE_TAG) return EVAL_FAIL(e, exp, "expected a tag, found %s", value_describe(e, argument));
  char *capitals = arena_strdup(e->arena, argument->tag->text);
  for (char *c = capitals; *c; c++)
    if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
  const struct builtin *builtin = symbols_intern(e->symbols, capitals, strlen(capitals))->builtin;
  bool base = builtin && builtin->kind == BUILTIN_BASE;
  if (base) {
    uint32_t node = predefined_builtin(e, builtin);
    if (graph_type(e->graph, node) == CAT_SET) return value_node(e, node);
  }
  return value_node(e, predefined_tag(e, argument->tag->text));
}

static const struct value *tag2scope(struct eval *e, const struct binding *env, const struct value *argument,
                                     const struct exp *exp) {
  if (argument->kind == VALUE_LATER) return argument;
  if (argument->kind != VALUE_TAG) return EVAL_FAIL(e, exp, "expected a tag, found %s", value_describe(e, argument));
  return eval_name(e, env, argument->tag, exp->source, exp->span);
}

static const struct value *end_of(struct eval *e, enum cat_op op, const struct value *argument, const struct exp *exp) {
  if (argument->kind == VALUE_NONE || argument->kind == VALUE_ALL) return argument;
  bool later = false;
  uint32_t node = eval_node(e, argument, CAT_REL, exp, &later);
  if (later) return argument;
  return node == EVAL_NO_NODE ? NULL : value_node(e, graph_unary(e->graph, op, node));
}

static const struct value *apply_primitive(struct eval *e, const struct binding *env, enum primitive primitive,
                                           const struct value *argument, const struct exp *exp) {
  struct value *result;
  bool later = false;
  switch (primitive) {
    case PRIM_FAIL:
      return EVAL_FAIL(e, exp, "the model fails on %s", value_describe(e, argument));
    case PRIM_DOMAIN:
      return end_of(e, CAT_DOMAIN, argument, exp);
    case PRIM_RANGE:
      return end_of(e, CAT_RANGE, argument, exp);
    case PRIM_LINEARISATIONS:
      return argument->kind == VALUE_LATER ? argument : linearisations(e, argument, exp);
    case PRIM_CLASSES_LOC:
      result = value_new(e, VALUE_CLASSES);
      result->node = eval_node(e, argument, CAT_SET, exp, &later);
      return later ? argument : result->node == EVAL_NO_NODE ? NULL : result;
    case PRIM_CLASSES:
      return classes(e, argument, exp);
    case PRIM_CO_LOCS:
      return argument->kind == VALUE_LATER ? argument : co_locs(e, argument, exp);
    case PRIM_CROSS:
      return cross(e, argument, exp);
    case PRIM_FIRSTS:
      return firsts(e, argument, exp);
    case PRIM_TAG2EVENTS:
      return tag2events(e, argument, exp);
    case PRIM_TAG2SCOPE:
      return tag2scope(e, env, argument, exp);
    case PRIMITIVE_COUNT:
      break;
  }
  return NULL;
}

/* The 2015 herd's ext(r) and int(r). */
static const struct value *apply_filter(struct eval *e, const struct value *filter, const struct value *argument,
                                        const struct exp *exp) {
  bool later = false;
  uint32_t node = eval_node(e, argument, CAT_REL, exp->b, &later);
  if (later) return argument;
  return node == EVAL_NO_NODE ? NULL : value_node(e, graph_binary(e->graph, CAT_INTER, filter->node, node));
}

/* A fault in a function of another text, such as a predefined one, is mostly its caller's. */
static const struct value *apply_closure(struct eval *e, const struct value *closure, const struct value *argument,
                                         const struct exp *exp) {
  const struct exp *function = closure->function;
  bool ok = true;
  size_t errors = e->diags->errors;
  const struct binding *inner = bind_pattern(e, closure->env, &function->pattern, argument, exp->b, &ok);
  const struct value *value = ok ? eval_exp(e, inner, function->a) : NULL;
  if (e->diags->errors > errors && function->source != exp->source)
    diag_note(e->diags, exp->source, exp->span, "called here");
  return value;
}

const struct value *eval_apply(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value *function = eval_exp(e, env, exp->a);
  const struct value *argument = function ? eval_exp(e, env, exp->b) : NULL;
  if (!argument) return NULL;
  switch (function->kind) {
    case VALUE_LATER:
      return function;
    case VALUE_PRIMITIVE:
      return apply_primitive(e, env, function->primitive, argument, exp->b);
    case VALUE_CLOSURE:
      return apply_closure(e, function, argument, exp);
    case VALUE_NODE:
      if (function->node == predefined_base(e, BASE_EXT) || function->node == predefined_base(e, BASE_INT))
        return apply_filter(e, function, argument, exp);
      break;
    default:
      break;
  }
  return EVAL_FAIL(e, exp->a, "expected a function, found %s", value_describe(e, function));
}

/* Functions whose meaning is built in, told by the shape of their definition.  Those
 * of herd's library are in cross.cat: computed as text they take a step for every
 * order they list.  What `firsts` chooses (models/hrf-rsp.cat) can be told to others. */
static const struct {
  const char *name;
  uint64_t fingerprint;
  enum primitive primitive;
} known_functions[] = {
    {"co_locs", 0xfaeda41f4a462c8eu, PRIM_CO_LOCS},
    {"cross", 0x953e4c80411bfa3fu, PRIM_CROSS},
    {"firsts", 0x55393259c608fe9fu, PRIM_FIRSTS},
};

const struct value *eval_known_function(struct eval *e, const struct symbol *symbol, const struct exp *exp) {
  for (unsigned i = 0; i < ARRAY_COUNT(known_functions); i++) {
    if (strcmp(symbol->text, known_functions[i].name) != 0 || exp_fingerprint(exp) != known_functions[i].fingerprint)
      continue;
    struct value *value = value_new(e, VALUE_PRIMITIVE);
    value->primitive = known_functions[i].primitive;
    return value;
  }
  return NULL;
}
