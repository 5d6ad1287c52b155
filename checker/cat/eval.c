/* The evaluator of expressions: see value.h. */
#include <stdarg.h>
#include <string.h>

#include "base/vec.h"
#include "cat/value.h"

/* Deepest nesting of evaluation, functions included. */
enum { DEPTH_LIMIT = 2000, OPEN_LIMIT = 60 };

static const uint32_t NO_NODE = UINT32_MAX;

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

#define FAIL(e, exp, ...) (eval_error((e), (exp)->source, (exp)->span, __VA_ARGS__), NULL)

/* ---- values ---------------------------------------------------------- */

static struct value *new_value(struct eval *e, enum value_kind kind) {
  struct value *value = ARENA_NEW(e->arena, struct value);
  value->kind = kind;
  return value;
}

const struct value *value_of_kind(struct eval *e, enum value_kind kind) {
  return new_value(e, kind);
}

const struct value *value_node(struct eval *e, uint32_t node) {
  struct value *value = new_value(e, VALUE_NODE);
  value->node = node;
  return value;
}

const char *value_describe(const struct eval *e, const struct value *value) {
  switch (value->kind) {
    case VALUE_NODE: return graph_type(e->graph, value->node) == CAT_SET ? "a set of events" : "a relation";
    case VALUE_NONE: return "an empty set";
    case VALUE_ALL: return "the universe";
    case VALUE_EVENT: return "an event";
    case VALUE_PAIR: return "a pair of events";
    case VALUE_TUPLE: return "a tuple";
    case VALUE_TAG: return "a tag";
    case VALUE_SET:
    case VALUE_CLASSES:
    case VALUE_PARTS: return "a set of values";
    case VALUE_ORDERS: return "a set of orders";
    case VALUE_CLOSURE:
    case VALUE_PRIMITIVE: return "a function";
    case VALUE_PROCEDURE: return "a procedure";
    case VALUE_LATER: return "an undecided value";
  }
  return "a value";
}

static bool is_empty_node(const struct eval *e, const struct value *value) {
  return value->kind == VALUE_NODE && graph_at(e->graph, value->node)->ir.op == CAT_EMPTY;
}

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
  return NO_NODE;
}

static uint32_t node_as(struct eval *e, const struct value *value, enum cat_type type, const struct exp *exp) {
  const struct cat_node *node = &graph_at(e->graph, value->node)->ir;
  if (node->op == CAT_EMPTY) return graph_empty(e->graph, type);
  bool rmw = value->node == view_base(e, BASE_RMW);
  e->rmw_set |= rmw && type == CAT_SET;
  e->rmw_relation |= rmw && type == CAT_REL;
  if (node->type == type) return value->node;
  /* The 2015 herd's `rmw` is the set of read-modify-writes. */
  if (rmw) return view_base(e, BASE_RMW_SET);
  if (type == CAT_SET && value->node == view_unary(e, CAT_COMPL, view_base(e, BASE_RMW))) {
    e->rmw_set = true;
    return view_unary(e, CAT_COMPL, view_base(e, BASE_RMW_SET));
  }
  return wrong_type(e, value, type, exp);
}

uint32_t eval_node(struct eval *e, const struct value *value, enum cat_type type, const struct exp *exp,
                   bool *later) {
  switch (value->kind) {
    case VALUE_NODE: return node_as(e, value, type, exp);
    case VALUE_NONE: return graph_empty(e->graph, type);
    case VALUE_ALL: return view_full(e, type);
    case VALUE_LATER: *later = true; return NO_NODE;
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
    default: break;
  }
  return wrong_type(e, value, type, exp);
}

/* ---- sets of values -------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b) {
  return a < b ? -1 : a > b;
}

static int compare_nodes(struct eval *e, uint32_t a, uint32_t b) {
  if (a == b) return 0;
  enum cat_type ta = graph_type(e->graph, a), tb = graph_type(e->graph, b);
  const word *wa = force_node(e, a), *wb = force_node(e, b);
  if (ta != tb || !wa || !wb) return compare_numbers(a, b);
  struct shape shape = force_shape(e);
  size_t count = ta == CAT_SET ? set_words(shape) : rel_words(shape);
  for (size_t i = 0; i < count; i++)
    if (wa[i] != wb[i]) return compare_numbers(wa[i], wb[i]);
  return 0;
}

static int compare_items(struct eval *e, const struct value *a, const struct value *b) {
  if (a->count != b->count) return compare_numbers(a->count, b->count);
  for (unsigned i = 0; i < a->count; i++) {
    int order = value_compare(e, a->items[i], b->items[i]);
    if (order) return order;
  }
  return 0;
}

/* An empty set or relation beside a value that tells what it is empty of. */
static const struct value *like(struct eval *e, const struct value *value, const struct value *other) {
  if (value->kind != VALUE_NONE || other->kind == VALUE_NONE) return value;
  if (other->kind == VALUE_NODE) return value_node(e, graph_empty(e->graph, graph_type(e->graph, other->node)));
  return other->kind == VALUE_SET ? new_value(e, VALUE_SET) : value;
}

int value_compare(struct eval *e, const struct value *a, const struct value *b) {
  a = like(e, force_set(e, a), b);
  b = like(e, force_set(e, b), a);
  if (a->kind != b->kind) return compare_numbers(a->kind, b->kind);
  switch (a->kind) {
    case VALUE_NODE: return compare_nodes(e, a->node, b->node);
    case VALUE_EVENT: return compare_numbers(a->event[0], b->event[0]);
    case VALUE_PAIR: return compare_numbers((uint64_t)a->event[0] << 32 | a->event[1],
                                            (uint64_t)b->event[0] << 32 | b->event[1]);
    case VALUE_TAG: return strcmp(a->tag->text, b->tag->text);
    case VALUE_TUPLE:
    case VALUE_SET: return compare_items(e, a, b);
    default: return compare_numbers((uintptr_t)a, (uintptr_t)b);
  }
}

/* Can the value be told from others already? Nodes only once there is a candidate. */
static bool is_known(const struct eval *e, const struct value *value) {
  if (e->force) return true;
  switch (value->kind) {
    case VALUE_NODE: return is_empty_node(e, value);
    case VALUE_TUPLE:
    case VALUE_SET:
      for (unsigned i = 0; i < value->count; i++)
        if (!is_known(e, value->items[i])) return false;
      return true;
    case VALUE_CLASSES:
    case VALUE_PARTS:
    case VALUE_ORDERS:
    case VALUE_LATER: return false;
    default: return true;
  }
}

/* Position of a value in a set, or where it would stand. */
static bool find_item(struct eval *e, const struct value *set, const struct value *item, unsigned *at) {
  unsigned low = 0, high = set->count;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    int order = value_compare(e, set->items[middle], item);
    if (!order) {
      *at = middle;
      return true;
    }
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  *at = low;
  return false;
}

const struct value *value_insert(struct eval *e, const struct value *set, const struct value *item) {
  if (set->count && (!is_known(e, item) || !is_known(e, set))) return value_of_kind(e, VALUE_LATER);
  if (!eval_spend(e, set->count / 16)) return set;
  unsigned at = 0;
  if (set->count && find_item(e, set, item, &at)) return set;
  struct value *larger = new_value(e, VALUE_SET);
  larger->count = set->count + 1;
  larger->items = ARENA_ARRAY(e->arena, const struct value *, larger->count);
  if (at) memcpy(larger->items, set->items, at * sizeof *larger->items);
  larger->items[at] = item;
  if (set->count > at) memcpy(larger->items + at + 1, set->items + at, (set->count - at) * sizeof *larger->items);
  return larger;
}

/* Merges two sets in canonical order: keep[0..2] for items only in a, in both, only in b. */
static const struct value *set_merge(struct eval *e, const struct value *a, const struct value *b, const bool keep[3]) {
  if (!is_known(e, a) || !is_known(e, b)) return value_of_kind(e, VALUE_LATER);
  if (!eval_spend(e, (a->count + b->count) / 16)) return a;
  struct value *result = new_value(e, VALUE_SET);
  result->items = ARENA_ARRAY(e->arena, const struct value *, (size_t)a->count + b->count);
  unsigned i = 0, j = 0;
  while (i < a->count || j < b->count) {
    int order = i == a->count ? 1 : j == b->count ? -1 : value_compare(e, a->items[i], b->items[j]);
    const struct value *item = order <= 0 ? a->items[i] : b->items[j];
    if (keep[order < 0 ? 0 : order ? 2 : 1]) result->items[result->count++] = item;
    i += order <= 0;
    j += order >= 0;
  }
  return result;
}

/* ---- names ----------------------------------------------------------- */

const struct binding *bind_name(struct eval *e, const struct binding *env, struct symbol *symbol,
                                const struct value *value) {
  if (!symbol) return env;
  struct binding *binding = ARENA_NEW(e->arena, struct binding);
  *binding = (struct binding){symbol, value, NULL, env};
  return binding;
}

static const struct value *item_of(struct eval *e, const struct value *value, unsigned i) {
  if (value->kind == VALUE_TUPLE) return value->items[i];
  struct value *event = new_value(e, VALUE_EVENT);
  event->event[0] = value->event[i];
  return event;
}

const struct binding *bind_pattern(struct eval *e, const struct binding *env, const struct pattern *pattern,
                                   const struct value *value, const struct exp *where, bool *ok) {
  if (!pattern->tuple) return bind_name(e, env, pattern->names[0], value);
  unsigned count = value->kind == VALUE_TUPLE ? value->count : value->kind == VALUE_PAIR ? 2 : 1;
  bool later = value->kind == VALUE_LATER;
  if (!later && (count != pattern->count || (count == 1 && value->kind != VALUE_TUPLE))) {
    eval_error(e, where->source, where->span, "expected %u arguments, found %s", pattern->count,
               value->kind == VALUE_TUPLE ? arena_printf(e->arena, "%u", count) : value_describe(e, value));
    *ok = false;
    return env;
  }
  for (unsigned i = 0; i < pattern->count; i++)
    env = bind_name(e, env, pattern->names[i], later ? value : item_of(e, value, i));
  return env;
}

static const struct value *unknown_name(struct eval *e, const struct binding *env, const struct symbol *symbol,
                                        const struct source *source, struct span span) {
  if (e->silent) return NULL;
  VEC(const char *) words = {0};
  for (; env; env = env->next) *vec_push(e->arena, &words) = env->symbol->text;
  for (uint32_t i = 0; i < e->symbols->bucket_count; i++)
    for (const struct symbol *s = e->symbols->buckets[i]; s; s = s->next)
      if (s->builtin) *vec_push(e->arena, &words) = s->text;
  static const char *const statements[] = {"acyclic", "irreflexive", "empty", "show", "include", "undefined_unless"};
  for (unsigned i = 0; i < sizeof statements / sizeof *statements; i++)
    *vec_push(e->arena, &words) = statements[i]; /* one misspelt reads as an argument of the line before */
  *vec_push(e->arena, &words) = NULL;
  const char *near = suggest(symbol->text, words.at);
  eval_error(e, source, span, "unknown name '%s'%s%s%s", symbol->text, near ? "; did you mean '" : "",
             near ? near : "", near ? "'?" : "");
  return NULL;
}

/* A definition of the prelude, evaluated where only predefined names are in sight. */
static const struct value *eval_defined(struct eval *e, const struct builtin *builtin) {
  const struct value **memo = &e->defined[builtin->index];
  if (*memo) return *memo;
  const struct source *source = source_from_text(e->arena, "(predefined)", builtin->text, strlen(builtin->text));
  const struct exp *exp = cat_parse_expression(e->arena, e->symbols, source, e->diags);
  return exp ? *memo = eval_exp(e, NULL, exp) : NULL;
}

static const struct value *eval_builtin(struct eval *e, const struct builtin *builtin) {
  switch (builtin->kind) {
    case BUILTIN_BASE:
      e->rmw_set |= builtin->base == BASE_RMW_SET;
      return value_node(e, view_base(e, builtin->base));
    case BUILTIN_DEFINED: return eval_defined(e, builtin);
    case BUILTIN_PRIMITIVE: {
      struct value *value = new_value(e, VALUE_PRIMITIVE);
      value->primitive = builtin->primitive;
      return value;
    }
    case BUILTIN_PROCEDURE: break;
  }
  return NULL;
}

const struct value *eval_name(struct eval *e, const struct binding *env, struct symbol *symbol,
                              const struct source *source, struct span span) {
  const struct binding *binding = env;
  while (binding && binding->symbol != symbol) binding = binding->next;
  if (binding) {
    if (!binding->value && !e->silent)
      diag_error(e->diags, binding->error->source, binding->error->span, "%s", binding->error->message);
    return binding->value;
  }
  const struct value *value = symbol->builtin ? eval_builtin(e, symbol->builtin) : NULL;
  return value ? value : unknown_name(e, env, symbol, source, span);
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

static bool is_value_set(const struct value *value) {
  switch (value->kind) {
    case VALUE_SET:
    case VALUE_CLASSES:
    case VALUE_PARTS:
    case VALUE_ORDERS:
    case VALUE_TAG: return true;
    default: return false;
  }
}

/* As a VALUE_SET: a tag stands for the set of itself. LATER when not known. */
static const struct value *as_value_set(struct eval *e, const struct value *value) {
  struct value *set;
  switch (value->kind) {
    case VALUE_NONE: return new_value(e, VALUE_SET);
    case VALUE_TAG:
      set = new_value(e, VALUE_SET);
      set->items = ARENA_ARRAY(e->arena, const struct value *, 1);
      set->items[0] = value;
      set->count = 1;
      return set;
    default:
      value = force_set(e, value);
      return value->kind == VALUE_SET ? value : value_of_kind(e, VALUE_LATER);
  }
}

/* The type that the operands of | & \ agree on; -1 if they are all polymorphic. */
static int common_type(struct eval *e, const struct value *const *values, unsigned count) {
  uint32_t rmw = view_base(e, BASE_RMW);
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
    if (values[i]->kind != VALUE_NONE && !is_value_set(values[i]))
      return FAIL(e, items[i], "expected a set of values, found %s", value_describe(e, values[i]));
    const struct value *set = as_value_set(e, values[i]);
    if (set->kind == VALUE_LATER) return set;
    result = result ? set_merge(e, result, set, keeps[kind == EXP_UNION ? 0 : kind == EXP_INTER ? 1 : 2]) : set;
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
  if (!graph_is_open(e->graph, node)) return NULL;
  return FAIL(e, exp,
              "this recursion is not monotone: the name being defined may not occur below a complement or to the "
              "right of a difference");
}

/* | & \ over sets, relations and sets of values. */
static const struct value *eval_boolean(struct eval *e, const struct binding *env, enum exp_kind kind,
                                        const struct exp *const *items, unsigned count) {
  const struct value **values = eval_items(e, env, items, count);
  if (!values) return NULL;
  if (any_later(values, count)) return value_of_kind(e, VALUE_LATER);
  for (unsigned i = 0; i < count; i++)
    if (is_value_set(values[i])) return set_operation(e, kind, values, items, count);
  int type = common_type(e, values, count);
  if (type < 0 && values[0]->kind != VALUE_NONE && values[0]->kind != VALUE_ALL)
    return FAIL(e, items[0], "expected a set or relation, found %s", value_describe(e, values[0]));
  if (type < 0) return polymorphic(e, kind, values, count);
  static const enum cat_op ops[] = {[EXP_UNION] = CAT_UNION, [EXP_INTER] = CAT_INTER, [EXP_DIFF] = CAT_DIFF};
  bool later = false;
  uint32_t result = NO_NODE;
  for (unsigned i = 0; i < count; i++) {
    uint32_t node = eval_node(e, values[i], (enum cat_type)type, items[i], &later);
    if (node == NO_NODE) return NULL;
    if (kind == EXP_DIFF && i && graph_is_open(e->graph, node)) return refuse_open(e, node, items[i]);
    result = i ? graph_binary(e->graph, ops[kind], result, node) : node;
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
    if (nodes[i] == NO_NODE && !now) return NULL;
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
  unsigned count = 0;
  for (unsigned i = 0; i < exp->item_count; i++) {
    uint32_t joined = NO_NODE;
    if (count && is_base(e, nodes[i], BASE_CO)) joined = graph_binary(e->graph, CAT_SEQ, nodes[count - 1], nodes[i]);
    if (joined != NO_NODE && is_base(e, joined, BASE_FR))
      nodes[count - 1] = joined;
    else
      nodes[count++] = nodes[i];
  }
  uint32_t result = nodes[0];
  for (unsigned i = 1; i < count; i++) result = graph_binary(e->graph, CAT_SEQ, result, nodes[i]);
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
  static const enum cat_op ops[] = {[EXP_PLUS] = CAT_PLUS,       [EXP_STAR] = CAT_STAR, [EXP_OPT] = CAT_OPT,
                                    [EXP_INVERSE] = CAT_INVERSE, [EXP_TOID] = CAT_TOID};
  const struct value *value = eval_exp(e, env, exp->a);
  if (!value) return NULL;
  if (exp->kind == EXP_INVERSE && value->kind == VALUE_PAIR) {
    struct value *pair = new_value(e, VALUE_PAIR);
    pair->event[0] = value->event[1];
    pair->event[1] = value->event[0];
    return pair;
  }
  bool later = false;
  uint32_t node = eval_node(e, value, exp->kind == EXP_TOID ? CAT_SET : CAT_REL, exp->a, &later);
  if (later) return value;
  return node == NO_NODE ? NULL : value_node(e, view_unary(e, ops[exp->kind], node));
}

static const struct value *eval_complement(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value *value = eval_exp(e, env, exp->a);
  if (!value) return NULL;
  switch (value->kind) {
    case VALUE_LATER: return value;
    case VALUE_NONE: return value_of_kind(e, VALUE_ALL);
    case VALUE_ALL: return value_of_kind(e, VALUE_NONE);
    case VALUE_NODE:
      if (graph_is_open(e->graph, value->node)) return refuse_open(e, value->node, exp->a);
      return value_node(e, view_unary(e, CAT_COMPL, value->node));
    case VALUE_TAG:
    case VALUE_SET: {
      const struct value *set = as_value_set(e, value);
      if (!set->count || set->items[0]->kind != VALUE_TAG) break;
      const struct value *all = eval_name(e, env, set->items[0]->enumeration, exp->source, exp->span);
      return all ? set_merge(e, all, set, (const bool[]){true, false, false}) : NULL;
    }
    default: break;
  }
  return FAIL(e, exp->a, "expected a set or relation, found %s", value_describe(e, value));
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
    if (!event && !pair) return FAIL(e, exp->a, "expected an event or a pair, found %s", value_describe(e, item));
    uint32_t a = eval_node(e, item, type, exp->a, &later), b = eval_node(e, set, type, exp->b, &later);
    return a == NO_NODE || b == NO_NODE ? NULL : value_node(e, graph_binary(e->graph, CAT_UNION, a, b));
  }
  if (set->kind != VALUE_NONE && !is_value_set(set))
    return FAIL(e, exp->b, "expected a set, found %s", value_describe(e, set));
  set = as_value_set(e, set);
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
  const struct value *set = new_value(e, VALUE_SET);
  for (unsigned i = 0; i < exp->item_count && set->kind == VALUE_SET; i++) {
    if (values[i]->kind == VALUE_ALL) return FAIL(e, exp->items[i], "the universe cannot be an element");
    set = value_insert(e, set, force_set(e, values[i]));
  }
  return set;
}

static const struct value *eval_tuple(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value **values = eval_items(e, env, exp->items, exp->item_count);
  if (!values) return NULL;
  struct value *tuple = new_value(e, VALUE_TUPLE);
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
  return FAIL(e, exp, "unknown tag '%s: no enum has it%s%s%s", exp->symbol->text, near ? "; did you mean '" : "",
              near ? near : "", near ? "?" : "");
}

/* ---- functions ------------------------------------------------------- */

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
  struct value *value = new_value(e, kind);
  value->node = node;
  value->order = order;
  return value;
}

static const struct value *linearisations(struct eval *e, const struct value *argument, const struct exp *exp) {
  const struct value *two[2];
  bool later = false;
  if (!take_two(e, argument, exp, two)) return NULL;
  uint32_t set = eval_node(e, two[0], CAT_SET, exp, &later);
  if (set == NO_NODE && !later) return NULL;
  uint32_t order = eval_node(e, two[1], CAT_REL, exp, &later);
  if (order == NO_NODE && !later) return NULL;
  return later ? value_of_kind(e, VALUE_LATER) : new_computation(e, VALUE_ORDERS, set, order);
}

static const struct value *co_locs(struct eval *e, const struct value *argument, const struct exp *exp) {
  const struct value *two[2];
  bool later = false;
  if (!take_two(e, argument, exp, two)) return NULL;
  uint32_t order = eval_node(e, two[0], CAT_REL, exp, &later);
  if (order == NO_NODE && !later) return NULL;
  if (later || two[1]->kind == VALUE_LATER) return value_of_kind(e, VALUE_LATER);
  if (two[1]->kind == VALUE_CLASSES) return new_computation(e, VALUE_PARTS, two[1]->node, order);
  const struct value *classes = as_value_set(e, two[1]);
  if (classes->kind == VALUE_LATER) return classes;
  const struct value *parts = new_value(e, VALUE_SET);
  for (unsigned i = 0; i < classes->count && parts->kind == VALUE_SET; i++) {
    uint32_t set = eval_node(e, classes->items[i], CAT_SET, exp, &later);
    if (set == NO_NODE) return NULL;
    parts = value_insert(e, parts, force_set(e, new_computation(e, VALUE_ORDERS, set, order)));
  }
  return parts;
}

/* All unions of one relation from each set; `rest` starts as {0}. */
static const struct value *cross_sets(struct eval *e, const struct value *sets, const struct exp *exp) {
  const struct value *result = new_value(e, VALUE_SET);
  result = value_insert(e, result, value_node(e, graph_empty(e->graph, CAT_REL)));
  for (unsigned i = 0; i < sets->count; i++) {
    const struct value *choices = as_value_set(e, sets->items[i]), *next = new_value(e, VALUE_SET);
    if (choices->kind == VALUE_LATER) return choices;
    for (unsigned j = 0; j < result->count; j++) {
      for (unsigned k = 0; k < choices->count && !e->broken; k++) {
        bool later = false;
        uint32_t node = eval_node(e, choices->items[k], CAT_REL, exp, &later);
        if (node == NO_NODE) return later ? value_of_kind(e, VALUE_LATER) : NULL;
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
  struct value *value = new_value(e, VALUE_LATER);
  value->of_relations = true;
  return value;
}

static const struct value *cross(struct eval *e, const struct value *argument, const struct exp *exp) {
  if (argument->kind == VALUE_LATER) return later_relations(e);
  if (argument->kind == VALUE_PARTS) {
    struct value *orders = new_value(e, VALUE_ORDERS);
    *orders = *argument;
    orders->kind = VALUE_ORDERS;
    orders->by_location = true;
    return orders;
  }
  if (argument->kind != VALUE_NONE && !is_value_set(argument))
    return FAIL(e, exp, "expected a set of sets of relations, found %s", value_describe(e, argument));
  const struct value *sets = as_value_set(e, argument);
  const struct value *result = sets->kind == VALUE_LATER ? sets : cross_sets(e, sets, exp);
  return result && result->kind == VALUE_LATER ? later_relations(e) : result;
}

/* The classes of an equivalence on the events it relates. */
static const struct value *classes(struct eval *e, const struct value *argument, const struct exp *exp) {
  bool later = false;
  uint32_t node = eval_node(e, argument, CAT_REL, exp, &later);
  if (node == NO_NODE && !later) return NULL;
  const word *words = later ? NULL : force_node(e, node);
  if (!words) return value_of_kind(e, VALUE_LATER);
  struct shape shape = force_shape(e);
  const struct value *result = new_value(e, VALUE_SET);
  for (unsigned i = 0; i < shape.n; i++) {
    const word *row = rel_row_const(shape, words, i);
    if (words_empty(set_words(shape), row)) continue;
    result = value_insert(e, result, value_node(e, graph_leaf(e->graph, CAT_SET, row)));
  }
  return result;
}

/* Events with an annotation: a predefined set of that name in capitals, else a tag. */
static const struct value *tag2events(struct eval *e, const struct value *argument, const struct exp *exp) {
  if (argument->kind == VALUE_LATER) return argument;
  if (argument->kind != VALUE_TAG) return FAIL(e, exp, "expected a tag, found %s", value_describe(e, argument));
  char *capitals = arena_strdup(e->arena, argument->tag->text);
  for (char *c = capitals; *c; c++)
    if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
  const struct builtin *builtin = symbols_intern(e->symbols, capitals, strlen(capitals))->builtin;
  bool base = builtin && builtin->kind == BUILTIN_BASE;
  if (base) {
    uint32_t node = view_base(e, builtin->base);
    if (graph_type(e->graph, node) == CAT_SET) return value_node(e, node);
  }
  return value_node(e, graph_base(e->graph, BASE_TAG, argument->tag->text));
}

static const struct value *tag2scope(struct eval *e, const struct binding *env, const struct value *argument,
                                     const struct exp *exp) {
  if (argument->kind == VALUE_LATER) return argument;
  if (argument->kind != VALUE_TAG) return FAIL(e, exp, "expected a tag, found %s", value_describe(e, argument));
  return eval_name(e, env, argument->tag, exp->source, exp->span);
}

static const struct value *end_of(struct eval *e, enum cat_op op, const struct value *argument,
                                  const struct exp *exp) {
  if (argument->kind == VALUE_NONE || argument->kind == VALUE_ALL) return argument;
  bool later = false;
  uint32_t node = eval_node(e, argument, CAT_REL, exp, &later);
  if (later) return argument;
  return node == NO_NODE ? NULL : value_node(e, graph_unary(e->graph, op, node));
}

static const struct value *apply_primitive(struct eval *e, const struct binding *env, enum primitive primitive,
                                           const struct value *argument, const struct exp *exp) {
  struct value *result;
  bool later = false;
  switch (primitive) {
    case PRIM_DOMAIN: return end_of(e, CAT_DOMAIN, argument, exp);
    case PRIM_RANGE: return end_of(e, CAT_RANGE, argument, exp);
    case PRIM_LINEARISATIONS: return argument->kind == VALUE_LATER ? argument : linearisations(e, argument, exp);
    case PRIM_CLASSES_LOC:
      result = new_value(e, VALUE_CLASSES);
      result->node = eval_node(e, argument, CAT_SET, exp, &later);
      return later ? argument : result->node == NO_NODE ? NULL : result;
    case PRIM_CLASSES: return classes(e, argument, exp);
    case PRIM_CO_LOCS: return argument->kind == VALUE_LATER ? argument : co_locs(e, argument, exp);
    case PRIM_CROSS: return cross(e, argument, exp);
    case PRIM_TAG2EVENTS: return tag2events(e, argument, exp);
    case PRIM_TAG2SCOPE: return tag2scope(e, env, argument, exp);
    case PRIMITIVE_COUNT: break;
  }
  return NULL;
}

/* The 2015 herd's ext(r) and int(r). */
static const struct value *apply_filter(struct eval *e, const struct value *filter, const struct value *argument,
                                        const struct exp *exp) {
  bool later = false;
  uint32_t node = eval_node(e, argument, CAT_REL, exp->b, &later);
  if (later) return argument;
  return node == NO_NODE ? NULL : value_node(e, graph_binary(e->graph, CAT_INTER, filter->node, node));
}

static const struct value *apply(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value *function = eval_exp(e, env, exp->a);
  const struct value *argument = function ? eval_exp(e, env, exp->b) : NULL;
  if (!argument) return NULL;
  bool ok = true;
  switch (function->kind) {
    case VALUE_LATER: return function;
    case VALUE_PRIMITIVE: return apply_primitive(e, env, function->primitive, argument, exp->b);
    case VALUE_CLOSURE: {
      const struct binding *inner =
          bind_pattern(e, function->env, &function->function->pattern, argument, exp->b, &ok);
      return ok ? eval_exp(e, inner, function->function->a) : NULL;
    }
    case VALUE_NODE:
      if (function->node == view_base(e, BASE_EXT) || function->node == view_base(e, BASE_INT))
        return apply_filter(e, function, argument, exp);
      break;
    default: break;
  }
  return FAIL(e, exp->a, "expected a function, found %s", value_describe(e, function));
}

/* Functions of herd's library whose meaning is built in, told by the shape of
 * their definition in cross.cat: computed as text they take a step for every
 * order they list. */
static const struct {
  const char *name;
  uint64_t fingerprint;
  enum primitive primitive;
} known_functions[] = {
    {"co_locs", 0xfaeda41f4a462c8eu, PRIM_CO_LOCS},
    {"cross", 0x953e4c80411bfa3fu, PRIM_CROSS},
};

static const struct value *known_function(struct eval *e, const struct symbol *symbol, const struct exp *exp) {
  for (unsigned i = 0; i < sizeof known_functions / sizeof *known_functions; i++) {
    if (strcmp(symbol->text, known_functions[i].name) || exp_fingerprint(exp) != known_functions[i].fingerprint)
      continue;
    struct value *value = new_value(e, VALUE_PRIMITIVE);
    value->primitive = known_functions[i].primitive;
    return value;
  }
  return NULL;
}

static struct value *new_closure(struct eval *e, const struct binding *env, const struct exp *exp) {
  struct value *closure = new_value(e, VALUE_CLOSURE);
  closure->function = exp;
  closure->env = env;
  return closure;
}

/* ---- bindings -------------------------------------------------------- */

/* Takes back the errors reported since `count`; returns the first. */
static const struct diag *take_error(struct eval *e, size_t count) {
  struct diag *error = ARENA_NEW(e->arena, struct diag);
  if (e->diags->count > count) *error = e->diags->at[count];
  e->diags->errors -= e->diags->count - count;
  e->diags->count = count;
  return error;
}

static const struct binding *bind_wrong(struct eval *e, const struct binding *env, const struct pattern *pattern,
                                        const struct diag *error) {
  for (unsigned i = 0; i < pattern->count; i++) {
    if (!pattern->names[i]) continue;
    struct binding *binding = ARENA_NEW(e->arena, struct binding);
    *binding = (struct binding){pattern->names[i], NULL, error, env};
    env = binding;
  }
  return env;
}

static const struct value *eval_body(struct eval *e, const struct binding *env, const struct binding_syntax *binding) {
  const struct symbol *name = binding->pattern.count == 1 ? binding->pattern.names[0] : NULL;
  const struct value *known = name ? known_function(e, name, binding->body) : NULL;
  return known ? known : eval_exp(e, env, binding->body);
}

static const struct binding *bind_plain(struct eval *e, const struct binding *env,
                                        const struct binding_syntax *bindings, unsigned count, bool defer, bool *ok) {
  const struct binding *result = env;
  for (unsigned i = 0; i < count && *ok; i++) {
    size_t errors = e->diags->count;
    bool matches = true;
    const struct value *value = eval_body(e, env, &bindings[i]);
    if (value) result = bind_pattern(e, result, &bindings[i].pattern, value, bindings[i].body, &matches);
    if (value && matches) continue;
    if (defer && !e->silent)
      result = bind_wrong(e, result, &bindings[i].pattern, take_error(e, errors));
    else
      *ok = false;
  }
  return result;
}

/* Set or relation? Judged by the operators, and by names that mean something already. */
static int infer(struct eval *e, const struct binding *env, const struct exp *exp, unsigned depth) {
  if (!exp || depth > 20) return -1;
  switch (exp->kind) {
    case EXP_SEQ:
    case EXP_CROSS:
    case EXP_PLUS:
    case EXP_STAR:
    case EXP_OPT:
    case EXP_INVERSE:
    case EXP_TOID:
    case EXP_SQUARE: return CAT_REL;
    case EXP_NAME: {
      while (env && env->symbol != exp->symbol) env = env->next;
      const struct builtin *builtin = exp->symbol->builtin;
      if (env) return env->value && env->value->kind == VALUE_NODE ? (int)graph_type(e->graph, env->value->node) : -1;
      return builtin && builtin->kind == BUILTIN_BASE
                 ? (int)graph_type(e->graph, view_base(e, builtin->base))
                 : -1;
    }
    case EXP_UNION:
    case EXP_INTER:
      for (unsigned i = 0; i < exp->item_count; i++) {
        int type = infer(e, env, exp->items[i], depth + 1);
        if (type >= 0) return type;
      }
      return -1;
    case EXP_APPLY:
      if (exp->a->kind == EXP_NAME && exp->a->symbol->builtin &&
          exp->a->symbol->builtin->kind == BUILTIN_PRIMITIVE && exp->a->symbol->builtin->primitive <= PRIM_RANGE)
        return CAT_SET;
      return -1;
    case EXP_DIFF: {
      int type = infer(e, env, exp->a, depth + 1);
      return type >= 0 ? type : infer(e, env, exp->b, depth + 1);
    }
    case EXP_LET:
    case EXP_COMPL: return infer(e, env, exp->a, depth + 1);
    default: return -1;
  }
}

/* The functions of a let rec see the whole group. */
static const struct binding *bind_functions(struct eval *e, const struct binding *env,
                                            const struct binding_syntax *bindings, unsigned count) {
  struct value **closures = ARENA_ARRAY(e->arena, struct value *, count);
  for (unsigned i = 0; i < count; i++) {
    if (bindings[i].body->kind != EXP_FUN) continue;
    closures[i] = new_closure(e, NULL, bindings[i].body);
    env = bind_name(e, env, bindings[i].pattern.names[0], closures[i]);
  }
  for (unsigned i = 0; i < count; i++)
    if (closures[i]) closures[i]->env = env;
  return env;
}

static const struct binding *bind_later(struct eval *e, const struct binding *env,
                                        const struct binding_syntax *bindings, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (bindings[i].body->kind != EXP_FUN)
      env = bind_name(e, env, bindings[i].pattern.names[0], value_of_kind(e, VALUE_LATER));
  return bind_functions(e, env, bindings, count);
}

/* Evaluates the bodies of recursive sets and relations, variables at `first`. */
static bool eval_rec_bodies(struct eval *e, const struct binding *env, const struct binding_syntax *bindings,
                            unsigned count, const enum cat_type *types, uint32_t *bodies, bool *later) {
  unsigned at = 0;
  for (unsigned i = 0; i < count; i++) {
    if (bindings[i].body->kind == EXP_FUN) continue;
    const struct value *value = eval_exp(e, env, bindings[i].body);
    if (!value) return false;
    bool now = false;
    bodies[at] = eval_node(e, value, types[at], bindings[i].body, &now);
    if (bodies[at] == NO_NODE && !now) return false;
    if (now) bodies[at] = graph_empty(e->graph, types[at]);
    *later |= now;
    at++;
  }
  return true;
}

/* let rec: variables of least fixpoints, and functions. */
static const struct binding *bind_recursive(struct eval *e, const struct binding *env,
                                            const struct binding_syntax *bindings, unsigned count, bool *ok) {
  enum cat_type *types = ARENA_ARRAY(e->arena, enum cat_type, count);
  uint32_t *bodies = ARENA_ARRAY(e->arena, uint32_t, count);
  unsigned variables = 0;
  for (unsigned i = 0; i < count; i++) {
    if (bindings[i].pattern.tuple) {
      eval_error(e, bindings[i].body->source, bindings[i].span, "a recursive definition binds one name");
      *ok = false;
      return env;
    }
    if (bindings[i].body->kind != EXP_FUN)
      types[variables++] = infer(e, env, bindings[i].body, 0) == CAT_SET ? CAT_SET : CAT_REL;
  }
  if (!variables) return bind_functions(e, env, bindings, count);
  if (e->graph->open_groups >= OPEN_LIMIT) {
    eval_error(e, bindings->body->source, bindings->span, "recursive definitions nest more than %d deep", OPEN_LIMIT);
    *ok = false;
    return env;
  }
  const struct binding *outer = env;
  uint32_t first = graph_open(e->graph, types, variables);
  for (unsigned i = 0, at = 0; i < count; i++)
    if (bindings[i].body->kind != EXP_FUN)
      env = bind_name(e, env, bindings[i].pattern.names[0], value_node(e, first + at++));
  env = bind_functions(e, env, bindings, count);
  for (unsigned i = 0; i < variables; i++) bodies[i] = first + i;
  bool later = false;
  *ok = eval_rec_bodies(e, env, bindings, count, types, bodies, &later);
  graph_close(e->graph, first, bodies, variables);
  return later ? bind_later(e, outer, bindings, count) : env;
}

const struct binding *eval_bindings(struct eval *e, const struct binding *env, const struct binding_syntax *bindings,
                                    unsigned count, bool recursive, bool defer, bool *ok) {
  *ok = true;
  if (!recursive) return bind_plain(e, env, bindings, count, defer, ok);
  size_t errors = e->diags->count;
  const struct binding *result = bind_recursive(e, env, bindings, count, ok);
  if (*ok || !defer || e->silent) return result;
  *ok = true;
  const struct diag *error = take_error(e, errors);
  for (unsigned i = 0; i < count; i++) env = bind_wrong(e, env, &bindings[i].pattern, error);
  return env;
}

/* ---- conditions ------------------------------------------------------ */

static bool has_variant(const struct eval *e, const char *variant) {
  for (unsigned i = 0; i < e->variant_count; i++)
    if (!strcmp(e->variants[i], variant)) return true;
  return false;
}

bool eval_variants(struct eval *e, const struct condition *condition) {
  switch (condition->kind) {
    case COND_NOT: return !eval_variants(e, condition->a);
    case COND_AND: return eval_variants(e, condition->a) && eval_variants(e, condition->b);
    case COND_OR: return eval_variants(e, condition->a) || eval_variants(e, condition->b);
    default: return has_variant(e, condition->variant);
  }
}

enum { CONDITION_ERROR = -1, CONDITION_LATER = -2 };

/* a subset b: a \ b is empty. */
static int eval_subset(struct eval *e, const struct value *a, const struct value *b, const struct condition *c) {
  if (is_value_set(a) || is_value_set(b)) {
    const struct value *sa = as_value_set(e, a), *sb = as_value_set(e, b);
    const struct value *rest = sa->kind == VALUE_LATER || sb->kind == VALUE_LATER
                                   ? value_of_kind(e, VALUE_LATER)
                                   : set_merge(e, sa, sb, (const bool[]){true, false, false});
    return rest->kind == VALUE_LATER ? CONDITION_LATER : !rest->count;
  }
  int type = common_type(e, (const struct value *[]){a, b}, 2);
  if (type < 0) return a->kind == VALUE_NONE || b->kind == VALUE_ALL;
  bool later = false;
  uint32_t na = eval_node(e, a, (enum cat_type)type, c->left, &later);
  uint32_t nb = na == NO_NODE ? NO_NODE : eval_node(e, b, (enum cat_type)type, c->right, &later);
  if (nb == NO_NODE) return CONDITION_ERROR;
  uint32_t rest = graph_binary(e->graph, CAT_DIFF, na, nb);
  if (graph_at(e->graph, rest)->ir.op == CAT_EMPTY) return 1;
  const word *words = force_node(e, rest);
  if (!words) return CONDITION_LATER;
  struct shape shape = force_shape(e);
  return words_empty(type == CAT_SET ? set_words(shape) : rel_words(shape), words);
}

static int eval_member(struct eval *e, const struct value *a, const struct value *b, const struct condition *c) {
  if (a->kind == VALUE_EVENT || a->kind == VALUE_PAIR || (a->kind == VALUE_TUPLE && b->kind == VALUE_NODE))
    return eval_subset(e, a, b, c);
  if (b->kind == VALUE_NONE) return 0;
  if (!is_value_set(b)) {
    eval_error(e, c->right->source, c->right->span, "expected a set of values, found %s", value_describe(e, b));
    return CONDITION_ERROR;
  }
  const struct value *set = as_value_set(e, b);
  unsigned at;
  if (set->kind == VALUE_LATER || !is_known(e, set) || !is_known(e, a)) return CONDITION_LATER;
  return find_item(e, set, force_set(e, a), &at);
}

static int eval_equal(struct eval *e, const struct value *a, const struct value *b) {
  if (a->kind == VALUE_NODE && b->kind == VALUE_NODE && a->node == b->node) return 1;
  if (!is_known(e, a) || !is_known(e, b)) return CONDITION_LATER;
  if (a->kind == VALUE_ALL || b->kind == VALUE_ALL) {
    const struct value *other = a->kind == VALUE_ALL ? b : a;
    if (other->kind == VALUE_NODE) a = b = value_node(e, other->node);
    if (other->kind == VALUE_NODE && e->force) {
      uint32_t full = view_full(e, graph_type(e->graph, other->node));
      return !value_compare(e, other, value_node(e, full));
    }
  }
  return !value_compare(e, a, b);
}

int eval_condition(struct eval *e, const struct binding *env, const struct condition *condition,
                   const struct exp *where) {
  (void)where;
  if (condition->kind > COND_IN) return eval_variants(e, condition);
  const struct value *a = eval_exp(e, env, condition->left), *b = a ? eval_exp(e, env, condition->right) : NULL;
  if (!b) return CONDITION_ERROR;
  if (a->kind == VALUE_LATER || b->kind == VALUE_LATER) return CONDITION_LATER;
  switch (condition->kind) {
    case COND_EQUAL: return eval_equal(e, a, b);
    case COND_SUBSET: return eval_subset(e, a, b, condition);
    default: return eval_member(e, a, b, condition);
  }
}

static const struct value *eval_if(struct eval *e, const struct binding *env, const struct exp *exp) {
  switch (eval_condition(e, env, exp->condition, exp)) {
    case CONDITION_ERROR: return NULL;
    case CONDITION_LATER: return value_of_kind(e, VALUE_LATER);
    case 0: return eval_exp(e, env, exp->b);
    default: return eval_exp(e, env, exp->a);
  }
}

static const struct value *eval_try(struct eval *e, const struct binding *env, const struct exp *exp) {
  e->silent++;
  unsigned depth = e->depth;
  const struct value *value = eval_exp(e, env, exp->a);
  e->depth = depth;
  e->silent--;
  return value ? value : eval_exp(e, env, exp->b);
}

/* ---- match ----------------------------------------------------------- */

static const struct value *eval_match(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value *value = eval_exp(e, env, exp->a);
  if (!value || value->kind == VALUE_LATER) return value;
  if (value->kind != VALUE_TAG) return FAIL(e, exp->a, "expected a tag, found %s", value_describe(e, value));
  for (unsigned i = 0; i < exp->clause_count; i++)
    if (!exp->clauses[i].tag || exp->clauses[i].tag == value->tag) return eval_exp(e, env, exp->clauses[i].body);
  return FAIL(e, exp, "no clause for '%s", value->tag->text);
}

/* The parts of a set cut at an element, each as a value. */
struct cut {
  const struct value *before, *element, *after;
};

static const struct value *leaf_value(struct eval *e, enum cat_type type, const word *words) {
  return value_node(e, graph_leaf(e->graph, type, words));
}

static unsigned first_bit(const word *words) {
  unsigned i = 0;
  while (!words[i]) i++;
  return i * 64 + (unsigned)__builtin_ctzll(words[i]);
}

/* Cuts a set of events or pairs, at its first element or in the middle. */
static struct cut cut_node(struct eval *e, enum cat_type type, const word *words, bool middle) {
  struct shape shape = force_shape(e);
  size_t count = type == CAT_SET ? set_words(shape) : rel_words(shape);
  word *before = ARENA_ARRAY(e->arena, word, count), *after = ARENA_ARRAY(e->arena, word, count);
  words_copy(count, after, words);
  size_t skip = middle ? words_popcount(count, words) / 2 : 0;
  unsigned bit = first_bit(after);
  for (;; bit = first_bit(after)) {
    after[bit / 64] &= ~((word)1 << (bit % 64));
    if (!skip--) break;
    before[bit / 64] |= (word)1 << (bit % 64);
  }
  struct value *element = new_value(e, type == CAT_SET ? VALUE_EVENT : VALUE_PAIR);
  unsigned row_bits = shape.w * 64;
  element->event[0] = type == CAT_SET ? bit : bit / row_bits;
  element->event[1] = type == CAT_SET ? 0 : bit % row_bits;
  return (struct cut){leaf_value(e, type, before), element, leaf_value(e, type, after)};
}

static const struct value *slice(struct eval *e, const struct value *set, unsigned from, unsigned to) {
  struct value *part = new_value(e, VALUE_SET);
  part->items = set->items + from;
  part->count = to - from;
  return part;
}

static struct cut cut_set(struct eval *e, const struct value *set, bool middle) {
  unsigned at = middle ? set->count / 2 : 0;
  return (struct cut){slice(e, set, 0, at), set->items[at], slice(e, set, at + 1, set->count)};
}

static const struct value *eval_match_set(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value *value = eval_exp(e, env, exp->a);
  if (!value) return NULL;
  value = force_set(e, value);
  bool middle = exp->pattern.count == 3;
  struct cut cut;
  switch (value->kind) {
    case VALUE_NONE: return eval_exp(e, env, exp->b);
    case VALUE_LATER:
    case VALUE_CLASSES:
    case VALUE_PARTS:
    case VALUE_ORDERS: return value_of_kind(e, VALUE_LATER);
    case VALUE_SET:
      if (!value->count) return eval_exp(e, env, exp->b);
      cut = cut_set(e, value, middle);
      break;
    case VALUE_NODE: {
      if (is_empty_node(e, value)) return eval_exp(e, env, exp->b);
      const word *words = force_node(e, value->node);
      if (!words) return value_of_kind(e, VALUE_LATER);
      enum cat_type type = graph_type(e->graph, value->node);
      struct shape shape = force_shape(e);
      if (words_empty(type == CAT_SET ? set_words(shape) : rel_words(shape), words)) return eval_exp(e, env, exp->b);
      cut = cut_node(e, type, words, middle);
      break;
    }
    default: return FAIL(e, exp->a, "expected a set, found %s", value_describe(e, value));
  }
  struct symbol *const *names = exp->pattern.names;
  if (middle) env = bind_name(e, env, names[0], cut.before);
  env = bind_name(e, env, names[middle], cut.element);
  env = bind_name(e, env, names[middle + 1], cut.after);
  return eval_exp(e, env, exp->c);
}

/* ---- expressions ----------------------------------------------------- */

static const struct value *eval_let(struct eval *e, const struct binding *env, const struct exp *exp) {
  bool ok;
  env = eval_bindings(e, env, exp->bindings, exp->binding_count, exp->recursive, false, &ok);
  return ok ? eval_exp(e, env, exp->a) : NULL;
}

static const struct value *eval_here(struct eval *e, const struct binding *env, const struct exp *exp) {
  switch (exp->kind) {
    case EXP_NAME: return eval_name(e, env, exp->symbol, exp->source, exp->span);
    case EXP_TAG: return eval_tag(e, env, exp);
    case EXP_EMPTY: return value_node(e, graph_empty(e->graph, CAT_REL));
    case EXP_UNIVERSE: return value_of_kind(e, VALUE_ALL);
    case EXP_SET: return eval_set(e, env, exp);
    case EXP_TUPLE: return eval_tuple(e, env, exp);
    case EXP_UNION:
    case EXP_INTER: return eval_boolean(e, env, exp->kind, exp->items, exp->item_count);
    case EXP_DIFF: return eval_boolean(e, env, EXP_DIFF, (const struct exp *[]){exp->a, exp->b}, 2);
    case EXP_SEQ: return eval_sequence(e, env, exp);
    case EXP_ADD: return eval_add(e, env, exp);
    case EXP_CROSS: return eval_cross(e, env, exp->a, exp->b);
    case EXP_SQUARE: return eval_cross(e, env, exp->a, exp->a);
    case EXP_PLUS:
    case EXP_STAR:
    case EXP_OPT:
    case EXP_INVERSE:
    case EXP_TOID: return eval_unary(e, env, exp);
    case EXP_COMPL: return eval_complement(e, env, exp);
    case EXP_APPLY: return apply(e, env, exp);
    case EXP_LET: return eval_let(e, env, exp);
    case EXP_FUN: return new_closure(e, env, exp);
    case EXP_TRY: return eval_try(e, env, exp);
    case EXP_IF: return eval_if(e, env, exp);
    case EXP_MATCH: return eval_match(e, env, exp);
    case EXP_MATCH_SET: return eval_match_set(e, env, exp);
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
