/* SPDX-License-Identifier: MIT */
/* Decisions: conditions, try, match on tags and on sets. */
#include "checker/cat/match_if_try.h"


#include "checker/base/text.h"
#include "checker/cat/bind.h"
#include "checker/cat/node_operators.h"
#include "checker/cat/node_values_on_candidate.h"
#include "checker/cat/one_event_rmw.h"
#include "checker/cat/orders_on_candidate.h"

/* ---- conditions ------------------------------------------------------ */

bool eval_has_variant(const struct eval *e, const char *variant) {
  return text_index(variant, e->variants, e->variant_count) >= 0;
}

bool eval_variants(struct eval *e, const struct condition *condition) {
  switch (condition->kind) {
    case COND_NOT:
      return !eval_variants(e, condition->a);
    case COND_AND:
      return eval_variants(e, condition->a) && eval_variants(e, condition->b);
    case COND_OR:
      return eval_variants(e, condition->a) || eval_variants(e, condition->b);
    default:
      return eval_has_variant(e, condition->variant);
  }
}

enum { EVAL_ERROR = -1, EVAL_LATER = -2 };

/* a subset b: a \ b is empty. */
static int eval_subset(struct eval *e, const struct value *a, const struct value *b, const struct condition *c) {
  if (value_is_set(a) || value_is_set(b)) {
    const struct value *sa = value_as_set(e, a), *sb = value_as_set(e, b);
    const struct value *rest = sa->kind == VALUE_LATER || sb->kind == VALUE_LATER
                                   ? value_of_kind(e, VALUE_LATER)
                                   : value_merge(e, sa, sb, (const bool[]){true, false, false});
    return rest->kind == VALUE_LATER ? EVAL_LATER : !rest->count;
  }
  int type = eval_common_type(e, (const struct value *[]){a, b}, 2);
  if (type < 0) return a->kind == VALUE_NONE || b->kind == VALUE_ALL;
  bool later = false;
  uint32_t na = eval_node(e, a, (enum cat_type)type, c->left, &later);
  uint32_t nb = na == EVAL_NO_NODE ? EVAL_NO_NODE : eval_node(e, b, (enum cat_type)type, c->right, &later);
  if (nb == EVAL_NO_NODE) return EVAL_ERROR;
  uint32_t rest = graph_binary(e->graph, CAT_DIFF, na, nb);
  if (graph_at(e->graph, rest)->ir.op == CAT_EMPTY) return 1;
  const word *words = force_node(e, rest);
  if (!words) return EVAL_LATER;
  struct shape shape = force_shape(e);
  return words_empty(node_words(shape, (enum cat_type)type), words);
}

static int eval_member(struct eval *e, const struct value *a, const struct value *b, const struct condition *c) {
  if (a->kind == VALUE_EVENT || a->kind == VALUE_PAIR || (a->kind == VALUE_TUPLE && b->kind == VALUE_NODE))
    return eval_subset(e, a, b, c);
  if (b->kind == VALUE_NONE) return 0;
  if (!value_is_set(b)) {
    eval_error(e, c->right->source, c->right->span, "expected a set of values, found %s", value_describe(e, b));
    return EVAL_ERROR;
  }
  const struct value *set = value_as_set(e, b);
  unsigned at;
  if (set->kind == VALUE_LATER || !value_is_known(e, set) || !value_is_known(e, a)) return EVAL_LATER;
  return value_find(e, set, force_set(e, a), &at);
}

static int eval_equal(struct eval *e, const struct value *a, const struct value *b) {
  if (a->kind == VALUE_NODE && b->kind == VALUE_NODE && a->node == b->node) return 1;
  if (!value_is_known(e, a) || !value_is_known(e, b)) return EVAL_LATER;
  if (a->kind == VALUE_ALL || b->kind == VALUE_ALL) {
    const struct value *other = a->kind == VALUE_ALL ? b : a;
    if (other->kind == VALUE_NODE) a = b = value_node(e, other->node);
    if (other->kind == VALUE_NODE && e->force) {
      uint32_t full = predefined_full(e, graph_type(e->graph, other->node));
      return !value_compare(e, other, value_node(e, full));
    }
  }
  return !value_compare(e, a, b);
}

static int eval_condition(struct eval *e, const struct binding *env, const struct condition *condition) {
  if (!condition->left) return eval_variants(e, condition);
  const struct value *a = eval_exp(e, env, condition->left), *b = a ? eval_exp(e, env, condition->right) : NULL;
  if (!b) return EVAL_ERROR;
  if (a->kind == VALUE_LATER || b->kind == VALUE_LATER) return EVAL_LATER;
  switch (condition->kind) {
    case COND_EQUAL:
      return eval_equal(e, a, b);
    case COND_SUBSET:
      return eval_subset(e, a, b, condition);
    default:
      return eval_member(e, a, b, condition);
  }
}

const struct value *eval_if(struct eval *e, const struct binding *env, const struct exp *exp) {
  switch (eval_condition(e, env, exp->condition)) {
    case EVAL_ERROR:
      return NULL;
    case EVAL_LATER:
      return value_of_kind(e, VALUE_LATER);
    case 0:
      return eval_exp(e, env, exp->b);
    default:
      return eval_exp(e, env, exp->a);
  }
}

const struct value *eval_try(struct eval *e, const struct binding *env, const struct exp *exp) {
  e->silent++;
  unsigned depth = e->depth;
  const struct value *value = eval_exp(e, env, exp->a);
  e->depth = depth;
  e->silent--;
  return value ? value : eval_exp(e, env, exp->b);
}

/* ---- match ----------------------------------------------------------- */

const struct value *eval_match(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value *value = eval_exp(e, env, exp->a);
  if (!value || value->kind == VALUE_LATER) return value;
  if (value->kind != VALUE_TAG) return EVAL_FAIL(e, exp->a, "expected a tag, found %s", value_describe(e, value));
  for (unsigned i = 0; i < exp->clause_count; i++)
    if (!exp->clauses[i].tag || exp->clauses[i].tag == value->tag) return eval_exp(e, env, exp->clauses[i].body);
  return EVAL_FAIL(e, exp, "no clause for '%s", value->tag->text);
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
  struct value *element = value_new(e, type == CAT_SET ? VALUE_EVENT : VALUE_PAIR);
  unsigned row_bits = shape.w * 64;
  element->event[0] = type == CAT_SET ? bit : bit / row_bits;
  element->event[1] = type == CAT_SET ? 0 : bit % row_bits;
  return (struct cut){leaf_value(e, type, before), element, leaf_value(e, type, after)};
}

static const struct value *slice(struct eval *e, const struct value *set, unsigned from, unsigned to) {
  struct value *part = value_new(e, VALUE_SET);
  part->items = set->items + from;
  part->count = to - from;
  return part;
}

static struct cut cut_set(struct eval *e, const struct value *set, bool middle) {
  unsigned at = middle ? set->count / 2 : 0;
  return (struct cut){slice(e, set, 0, at), set->items[at], slice(e, set, at + 1, set->count)};
}

const struct value *eval_match_set(struct eval *e, const struct binding *env, const struct exp *exp) {
  const struct value *value = eval_exp(e, env, exp->a);
  if (!value) return NULL;
  value = force_set(e, value);
  bool middle = exp->pattern.count == 3;
  struct cut cut;
  switch (value->kind) {
    case VALUE_NONE:
      return eval_exp(e, env, exp->b);
    case VALUE_LATER:
    case VALUE_CLASSES:
    case VALUE_PARTS:
    case VALUE_ORDERS:
      return value_of_kind(e, VALUE_LATER);
    case VALUE_SET:
      if (!value->count) return eval_exp(e, env, exp->b);
      cut = cut_set(e, value, middle);
      break;
    case VALUE_NODE: {
      if (value_is_empty(e, value)) return eval_exp(e, env, exp->b);
      const word *words = force_node(e, value->node);
      if (!words) return value_of_kind(e, VALUE_LATER);
      enum cat_type type = graph_type(e->graph, value->node);
      struct shape shape = force_shape(e);
      if (words_empty(node_words(shape, type), words)) return eval_exp(e, env, exp->b);
      cut = cut_node(e, type, words, middle);
      break;
    }
    default:
      return EVAL_FAIL(e, exp->a, "expected a set, found %s", value_describe(e, value));
  }
  struct symbol *const *names = exp->pattern.names;
  if (middle) env = bind_name(e, env, names[0], cut.before);
  env = bind_name(e, env, names[middle], cut.element);
  env = bind_name(e, env, names[middle + 1], cut.after);
  return eval_exp(e, env, exp->c);
}
