/* SPDX-License-Identifier: MIT */
/* The evaluator of expressions: see evaluate_expressions.h. */
#include "checker/cat/evaluate_expressions.h"

#include <stdarg.h>

#include "checker/base/vec.h"
#include "checker/cat/apply.h"
#include "checker/cat/bind.h"
#include "checker/cat/match_if_try.h"
#include "checker/cat/node_values_on_candidate.h"
#include "checker/cat/one_event_rmw.h"
#include "checker/cat/orders_on_candidate.h"

/* Deepest nesting of evaluation, functions included. */
enum { DEPTH_LIMIT = 2000 };

void eval_error(struct eval *e, const struct source *source, struct span span, const char *format, ...) {
  if (e->silent) return;
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(e->diags->arena, format, args);
  va_end(args);
  diag_error(e->diags, source, span, "%s", message);
}

/* Ends the evaluation for good: `try` does not catch it. */
static void give_up(struct eval *e, const struct exp *exp, const char *message) {
  if (e->broken) return;
  e->broken = true;
  diag_error(e->diags, exp->source, exp->span, "%s", message);
}

bool eval_spend(struct eval *e, uint64_t steps) {
  enum { POLL = 4096 };
  uint64_t before = e->steps;
  e->steps += steps;
  if (e->broken) return false;
  if (e->steps / POLL != before / POLL && force_stopped(e)) e->broken = true;
  if (e->steps > e->step_limit)
    give_up(e, e->here,
            arena_printf(e->arena, "the model is too large: more than %llu steps to evaluate it",
                         (unsigned long long)e->step_limit));
  return !e->broken;
}

/* ---- nodes ------------------------------------------------------------ */

/* A leaf with one event or one pair. */
static uint32_t singleton(struct eval *e, enum cat_type type, unsigned a, unsigned b) {
  struct shape shape = force_shape(e);
  word *words = ARENA_ARRAY(e->arena, word, type == CAT_SET ? set_words(shape) : rel_words(shape));
  if (type == CAT_SET)
    set_add(words, a);
  else
    rel_add(shape, words, a, b);
  return graph_leaf(e->graph, type, words);
}

static uint32_t wrong_type(struct eval *e, const struct value *value, enum cat_type type, const struct exp *exp) {
  bool set = value->kind == VALUE_NODE && type == CAT_REL;
  eval_error(e, exp->source, exp->span, "expected %s, found %s%s", type == CAT_SET ? "a set of events" : "a relation",
             value_describe(e, value), set ? "; write [S] for the identity on a set S" : "");
  return EVAL_NO_NODE;
}

static uint32_t node_as(struct eval *e, const struct value *value, enum cat_type type, const struct exp *exp) {
  const struct cat_node *node = &graph_at(e->graph, value->node)->ir;
  if (node->op == CAT_EMPTY) return graph_empty(e->graph, type);
  bool rmw = value->node == predefined_base(e, BASE_RMW);
  e->rmw_relation |= rmw && type == CAT_REL;
  if (node->type == type) return value->node;
  /* The 2015 herd's `rmw` is the set of read-modify-writes. */
  if (rmw) return predefined_base(e, BASE_RMW_SET);
  if (type == CAT_SET && value->node == predefined_unary(e, CAT_COMPL, predefined_base(e, BASE_RMW)))
    return predefined_unary(e, CAT_COMPL, predefined_base(e, BASE_RMW_SET));
  return wrong_type(e, value, type, exp);
}

uint32_t eval_node(struct eval *e, const struct value *value, enum cat_type type, const struct exp *exp, bool *later) {
  switch (value->kind) {
    case VALUE_NODE:
      return node_as(e, value, type, exp);
    case VALUE_NONE:
      return graph_empty(e->graph, type);
    case VALUE_ALL:
      return predefined_full(e, type);
    case VALUE_LATER:
      *later = true;
      return EVAL_NO_NODE;
    case VALUE_EVENT:
      if (type == CAT_SET) return singleton(e, CAT_SET, value->event[0], 0);
      break;
    case VALUE_PAIR:
      if (type == CAT_REL) return singleton(e, CAT_REL, value->event[0], value->event[1]);
      break;
    case VALUE_TUPLE:
      if (type == CAT_REL && value->count == 2 && value->items[0]->kind == VALUE_EVENT &&
          value->items[1]->kind == VALUE_EVENT)
        return singleton(e, CAT_REL, value->items[0]->event[0], value->items[1]->event[0]);
      break;
    default:
      break;
  }
  return wrong_type(e, value, type, exp);
}

/* ---- operators ------------------------------------------------------- */

/* Evaluates operands; NULL after an error. */
static const struct value **eval_items(struct eval *e, const struct binding *env, const struct exp *const *items,
                                       unsigned count) {
  const struct value **values = ARENA_ARRAY(e->arena, const struct value *, count);
  for (unsigned i = 0; i < count; i++)
    if (!(values[i] = eval_exp(e, env, items[i]))) return NULL;
  return values;
}

static bool any_later(const struct value *const *values, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (values[i]->kind == VALUE_LATER) return true;
  return false;
}

/* The type that the operands of | & \ agree on; -1 if they are all polymorphic. */
int eval_common_type(struct eval *e, const struct value *const *values, unsigned count) {
  uint32_t rmw = predefined_base(e, BASE_RMW);
  int type = -1;
  for (unsigned i = 0; i < count; i++) {
    const struct value *value = values[i];
    if (value->kind == VALUE_EVENT) return CAT_SET;
    if (value->kind == VALUE_PAIR) return CAT_REL;
    if (value->kind != VALUE_NODE) continue;
    const struct cat_node *node = &graph_at(e->graph, value->node)->ir;
    if (node->op == CAT_EMPTY || value->node == rmw) {
      if (type < 0) type = (int)node->type; /* may yield to a set */
      continue;
    }
    return (int)node->type;
  }
  return type;
}

static const struct value *set_operation(struct eval *e, enum exp_kind kind, const struct value *const *values,
                                         const struct exp *const *items, unsigned count) {
  static const bool keeps[3][3] = {{true, true, true}, {false, true, false}, {true, false, false}};
  const struct value *result = NULL;
  for (unsigned i = 0; i < count; i++) {
    if (values[i]->kind != VALUE_NONE && !value_is_set(values[i]))
      return EVAL_FAIL(e, items[i], "expected a set of values, found %s", value_describe(e, values[i]));
    const struct value *set = value_as_set(e, values[i]);
    if (set->kind == VALUE_LATER) return set;
    result = result ? value_merge(e, result, set, keeps[kind == EXP_UNION ? 0 : kind == EXP_INTER ? 1 : 2]) : set;
    if (result->kind == VALUE_LATER) return result;
  }
  return result;
}

static const struct value *polymorphic(struct eval *e, enum exp_kind kind, const struct value *const *values,
                                       unsigned count) {
  bool all = values[0]->kind == VALUE_ALL;
  for (unsigned i = 1; i < count; i++) {
    bool next = values[i]->kind == VALUE_ALL;
    all = kind == EXP_UNION ? all || next : kind == EXP_INTER ? all && next : all && !next;
  }
  return value_of_kind(e, all ? VALUE_ALL : VALUE_NONE);
}

static const struct value *refuse_open(struct eval *e, uint32_t node, const struct exp *exp) {
  if (!graph_is_open(e->graph, node) || e->growing) return NULL;
  return EVAL_FAIL(e, exp,
                   "this recursion is not monotone: the name being defined may not occur below a complement or to the "
                   "right of a difference, except in `let rec` where it adds to itself, as r = r | ...");
}

/* | & \ over sets, relations and sets of values. */
static const struct value *eval_boolean(struct eval *e, const struct binding *env, enum exp_kind kind,
                                        const struct exp *const *items, unsigned count) {
  const struct value **values = eval_items(e, env, items, count);
  if (!values) return NULL;
  if (any_later(values, count)) return value_of_kind(e, VALUE_LATER);
  for (unsigned i = 0; i < count; i++)
    if (value_is_set(values[i])) return set_operation(e, kind, values, items, count);
  int type = eval_common_type(e, values, count);
  if (type < 0 && values[0]->kind != VALUE_NONE && values[0]->kind != VALUE_ALL)
    return EVAL_FAIL(e, items[0], "expected a set or relation, found %s", value_describe(e, values[0]));
  if (type < 0) return polymorphic(e, kind, values, count);
  static const enum cat_op ops[] = {[EXP_UNION] = CAT_UNION, [EXP_INTER] = CAT_INTER, [EXP_DIFF] = CAT_DIFF};
  bool later = false;
  uint32_t result = EVAL_NO_NODE;
  for (unsigned i = 0; i < count; i++) {
    uint32_t node = eval_node(e, values[i], (enum cat_type)type, items[i], &later);
    if (node == EVAL_NO_NODE) return NULL;
    if (kind == EXP_DIFF && i && !e->growing && graph_is_open(e->graph, node)) return refuse_open(e, node, items[i]);
    result = i ? graph_binary_of(e->graph, ops[kind], result, node, items[i]) : node;
  }
  return value_node(e, result);
}

/* Operands of one type to nodes.  NULL after an error; *later as in eval_node. */
static uint32_t *eval_nodes(struct eval *e, const struct binding *env, enum cat_type type,
                            const struct exp *const *items, unsigned count, bool *later) {
  uint32_t *nodes = ARENA_ARRAY(e->arena, uint32_t, count);
  for (unsigned i = 0; i < count; i++) {
    const struct value *value = eval_exp(e, env, items[i]);
    if (!value) return NULL;
    bool now = false;
    nodes[i] = eval_node(e, value, type, items[i], &now);
    if (nodes[i] == EVAL_NO_NODE && !now) return NULL;
    *later |= now;
  }
  return nodes;
}

static bool is_base(const struct eval *e, uint32_t node, enum cat_base base) {
  const struct cat_node *ir = &graph_at(e->graph, node)->ir;
  return ir->op == CAT_BASE && ir->base == base;
}

/* From the left, but rf^-1;co first wherever it stands. */
static const struct value *eval_sequence(struct eval *e, const struct binding *env, const struct exp *exp) {
  bool later = false;
  uint32_t *nodes = eval_nodes(e, env, CAT_REL, exp->items, exp->item_count, &later);
  if (!nodes) return NULL;
  if (later) return value_of_kind(e, VALUE_LATER);
  const struct exp **items = ARENA_ARRAY(e->arena, const struct exp *, exp->item_count);
  unsigned count = 0;
  for (unsigned i = 0; i < exp->item_count; i++) {
    uint32_t joined = EVAL_NO_NODE;
    if (count && is_base(e, nodes[i], BASE_CO)) joined = graph_binary(e->graph, CAT_SEQ, nodes[count - 1], nodes[i]);
    if (joined != EVAL_NO_NODE && is_base(e, joined, BASE_FR))
      nodes[count - 1] = joined;
    else
      nodes[count] = nodes[i], items[count++] = exp->items[i];
  }
  uint32_t result = nodes[0];
  for (unsigned i = 1; i < count; i++) result = graph_binary_of(e->graph, CAT_SEQ, result, nodes[i], items[i]);
  return value_node(e, result);
}

static const struct value *eval_cross(struct eval *e, const struct binding *env, const struct exp *a,
                                      const struct exp *b) {
  bool later = false;
  const struct exp *items[] = {a, b};
  uint32_t *nodes = eval_nodes(e, env, CAT_SET, items, 2, &later);
  if (!nodes) return NULL;
  return later ? value_of_kind(e, VALUE_LATER) : value_node(e, graph_binary(e->graph, CAT_CROSS, nodes[0], nodes[1]));
}

/* Operators from one relation (for [S]: a set). */
static const struct value *eval_unary(struct eval *e, const struct binding *env, const struct exp *exp) {
  static const enum cat_op ops[] = {[EXP_PLUS] = CAT_PLUS,
                                    [EXP_STAR] = CAT_STAR,
                                    [EXP_OPT] = CAT_OPT,
                                    [EXP_INVERSE] = CAT_INVERSE,
                                    [EXP_TOID] = CAT_TOID};
  const struct value *value = eval_exp(e, env, exp->a);
  if (!value) return NULL;
  if (exp->kind == EXP_INVERSE && value->kind == VALUE_PAIR) {
    struct value *pair = value_new(e, VALUE_PAIR);
    pair->event[0] = value->event[1];
    pair->event[1] = value->event[0];
    return pair;
  }
  bool later = false;
  uint32_t node = eval_node(e, value, exp->kind == EXP_TOID ? CAT_SET : CAT_REL, exp->a, &later);
  if (later) return value;
  if (node == EVAL_NO_NODE) return NULL;
  e->graph->from = exp;
  node = predefined_unary(e, ops[exp->kind], node);
  e->graph->from = NULL;
  return value_node(e, node);
}

static const struct value *eval_complement(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value *value = eval_exp(e, env, exp->a);
  if (!value) return NULL;
  switch (value->kind) {
    case VALUE_LATER:
      return value;
    case VALUE_NONE:
      return value_of_kind(e, VALUE_ALL);
    case VALUE_ALL:
      return value_of_kind(e, VALUE_NONE);
    case VALUE_NODE:
      if (graph_is_open(e->graph, value->node)) return refuse_open(e, value->node, exp->a);
      return value_node(e, predefined_unary(e, CAT_COMPL, value->node));
    case VALUE_TAG:
    case VALUE_SET: {
      const struct value *set = value_as_set(e, value);
      if (!set->count || set->items[0]->kind != VALUE_TAG) break;
      const struct value *all = eval_name(e, env, set->items[0]->enumeration, exp->source, exp->span);
      return all ? value_merge(e, all, set, (const bool[]){true, false, false}) : NULL;
    }
    default:
      break;
  }
  return EVAL_FAIL(e, exp->a, "expected a set or relation, found %s", value_describe(e, value));
}

/* element ++ set */
static const struct value *eval_add(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value *item = eval_exp(e, env, exp->a), *set = item ? eval_exp(e, env, exp->b) : NULL;
  if (!set) return NULL;
  if (item->kind == VALUE_LATER || set->kind == VALUE_LATER) return value_of_kind(e, VALUE_LATER);
  bool event = item->kind == VALUE_EVENT, later = false;
  bool pair = item->kind == VALUE_PAIR || (item->kind == VALUE_TUPLE && item->count == 2);
  if (set->kind == VALUE_ALL) return set;
  if ((event || item->kind == VALUE_PAIR) && set->kind == VALUE_NONE)
    set = value_node(e, graph_empty(e->graph, event ? CAT_SET : CAT_REL));
  if (set->kind == VALUE_NODE) {
    enum cat_type type = event ? CAT_SET : CAT_REL;
    if (!event && !pair) return EVAL_FAIL(e, exp->a, "expected an event or a pair, found %s", value_describe(e, item));
    uint32_t a = eval_node(e, item, type, exp->a, &later), b = eval_node(e, set, type, exp->b, &later);
    return a == EVAL_NO_NODE || b == EVAL_NO_NODE ? NULL : value_node(e, graph_binary(e->graph, CAT_UNION, a, b));
  }
  if (set->kind != VALUE_NONE && !value_is_set(set))
    return EVAL_FAIL(e, exp->b, "expected a set, found %s", value_describe(e, set));
  set = value_as_set(e, set);
  return set->kind == VALUE_LATER ? set : value_insert(e, set, force_set(e, item));
}

/* { items } */
static const struct value *eval_set(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value **values = eval_items(e, env, exp->items, exp->item_count);
  if (!values) return NULL;
  if (any_later(values, exp->item_count)) return value_of_kind(e, VALUE_LATER);
  if (!exp->item_count) return value_of_kind(e, VALUE_NONE);
  bool event = values[0]->kind == VALUE_EVENT, pair = values[0]->kind == VALUE_PAIR;
  if (event || pair) return eval_boolean(e, env, EXP_UNION, exp->items, exp->item_count);
  const struct value *set = value_new(e, VALUE_SET);
  for (unsigned i = 0; i < exp->item_count && set->kind == VALUE_SET; i++) {
    if (values[i]->kind == VALUE_ALL) return EVAL_FAIL(e, exp->items[i], "the universe cannot be an element");
    set = value_insert(e, set, force_set(e, values[i]));
  }
  return set;
}

static const struct value *eval_tuple(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value **values = eval_items(e, env, exp->items, exp->item_count);
  if (!values) return NULL;
  struct value *tuple = value_new(e, VALUE_TUPLE);
  tuple->items = values;
  tuple->count = exp->item_count;
  return tuple;
}

static bool is_enumeration(const struct binding *binding) {
  return binding->value && binding->value->kind == VALUE_SET && binding->value->count &&
         binding->value->items[0]->kind == VALUE_TAG && binding->value->items[0]->enumeration == binding->symbol;
}

static const struct value *eval_tag(struct eval *e, const struct binding *env, const struct exp *exp) {
  VEC(const char *) tags = {0};
  for (; env; env = env->next) {
    if (!is_enumeration(env)) continue;
    for (unsigned i = 0; i < env->value->count; i++) {
      if (env->value->items[i]->tag == exp->symbol) return env->value->items[i];
      *vec_push(e->arena, &tags) = env->value->items[i]->tag->text;
    }
  }
  *vec_push(e->arena, &tags) = NULL;
  const char *near = suggest(exp->symbol->text, tags.at);
  return EVAL_FAIL(e, exp, "unknown tag '%s: no enum has it%s%s%s", exp->symbol->text, near ? "; did you mean '" : "",
                   near ? near : "", near ? "?" : "");
}

/* ---- expressions ----------------------------------------------------- */

static const struct value *eval_let(struct eval *e, const struct binding *env, const struct exp *exp) {
  bool ok;
  env = eval_bindings(e, env, (struct let){exp->bindings, exp->binding_count, exp->recursive}, false, &ok);
  return ok ? eval_exp(e, env, exp->a) : NULL;
}

static const struct value *eval_here(struct eval *e, const struct binding *env, const struct exp *exp) {
  switch (exp->kind) {
    case EXP_NAME:
      return eval_name(e, env, exp->symbol, exp->source, exp->span);
    case EXP_TAG:
      return eval_tag(e, env, exp);
    case EXP_EMPTY:
      return value_node(e, graph_empty(e->graph, CAT_REL));
    case EXP_UNIVERSE:
      return value_of_kind(e, VALUE_ALL);
    case EXP_SET:
      return eval_set(e, env, exp);
    case EXP_TUPLE:
      return eval_tuple(e, env, exp);
    case EXP_UNION:
    case EXP_INTER:
      return eval_boolean(e, env, exp->kind, exp->items, exp->item_count);
    case EXP_DIFF:
      return eval_boolean(e, env, EXP_DIFF, (const struct exp *[]){exp->a, exp->b}, 2);
    case EXP_SEQ:
      return eval_sequence(e, env, exp);
    case EXP_ADD:
      return eval_add(e, env, exp);
    case EXP_CROSS:
      return eval_cross(e, env, exp->a, exp->b);
    case EXP_SQUARE:
      return eval_cross(e, env, exp->a, exp->a);
    case EXP_PLUS:
    case EXP_STAR:
    case EXP_OPT:
    case EXP_INVERSE:
    case EXP_TOID:
      return eval_unary(e, env, exp);
    case EXP_COMPL:
      return eval_complement(e, env, exp);
    case EXP_APPLY:
      return eval_apply(e, env, exp);
    case EXP_LET:
      return eval_let(e, env, exp);
    case EXP_FUN:
      return eval_closure(e, env, exp);
    case EXP_TRY:
      return eval_try(e, env, exp);
    case EXP_IF:
      return eval_if(e, env, exp);
    case EXP_MATCH:
      return eval_match(e, env, exp);
    case EXP_MATCH_SET:
      return eval_match_set(e, env, exp);
  }
  return NULL;
}

const struct value *eval_exp(struct eval *e, const struct binding *env, const struct exp *exp) {
  e->here = exp;
  if (!eval_spend(e, 1)) return NULL;
  if (e->depth >= DEPTH_LIMIT) {
    give_up(e, exp, "evaluation nests more than 2000 levels deep; does a recursive function never end?");
    return NULL;
  }
  e->depth++;
  const struct value *value = eval_here(e, env, exp);
  e->depth--;
  return e->broken ? NULL : value;
}
