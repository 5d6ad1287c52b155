/* SPDX-License-Identifier: MIT */
/* Values, and sets of values in canonical order: see value.h. */
#include <string.h>

#include "checker/cat/evaluate_expressions.h"
#include "checker/cat/node_values_on_candidate.h"
#include "checker/cat/orders_on_candidate.h"

struct value *value_new(struct eval *e, enum value_kind kind) {
  return ARENA_MAKE(e->arena, struct value, .kind = kind);
}

const struct value *value_of_kind(struct eval *e, enum value_kind kind) {
  return value_new(e, kind);
}

const struct value *value_node(struct eval *e, uint32_t node) {
  struct value *value = value_new(e, VALUE_NODE);
  value->node = node;
  return value;
}

const char *value_describe(const struct eval *e, const struct value *value) {
  static const char *const texts[] = {
      [VALUE_NONE] = "an empty set",      [VALUE_ALL] = "the universe",        [VALUE_EVENT] = "an event",
      [VALUE_PAIR] = "a pair of events",  [VALUE_TUPLE] = "a tuple",           [VALUE_TAG] = "a tag",
      [VALUE_SET] = "a set of values",    [VALUE_CLASSES] = "a set of values", [VALUE_PARTS] = "a set of values",
      [VALUE_ORDERS] = "a set of orders", [VALUE_CLOSURE] = "a function",      [VALUE_PRIMITIVE] = "a function",
      [VALUE_PROCEDURE] = "a procedure",  [VALUE_LATER] = "an undecided value"};
  if (value->kind != VALUE_NODE) return texts[value->kind];
  return graph_type(e->graph, value->node) == CAT_SET ? "a set of events" : "a relation";
}

bool value_is_empty(const struct eval *e, const struct value *value) {
  return value->kind == VALUE_NODE && graph_at(e->graph, value->node)->ir.op == CAT_EMPTY;
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

/* An empty set or relation together with a value that tells what it is empty of. */
static const struct value *like(struct eval *e, const struct value *value, const struct value *other) {
  if (value->kind != VALUE_NONE || other->kind == VALUE_NONE) return value;
  if (other->kind == VALUE_NODE) return value_node(e, graph_empty(e->graph, graph_type(e->graph, other->node)));
  return other->kind == VALUE_SET ? value_new(e, VALUE_SET) : value;
}

int value_compare(struct eval *e, const struct value *a, const struct value *b) {
  a = like(e, force_set(e, a), b);
  b = like(e, force_set(e, b), a);
  if (a->kind != b->kind) return compare_numbers(a->kind, b->kind);
  switch (a->kind) {
    case VALUE_NODE:
      return compare_nodes(e, a->node, b->node);
    case VALUE_EVENT:
      return compare_numbers(a->event[0], b->event[0]);
    case VALUE_PAIR:
      return compare_numbers((uint64_t)a->event[0] << 32 | a->event[1], (uint64_t)b->event[0] << 32 | b->event[1]);
    case VALUE_TAG:
      return strcmp(a->tag->text, b->tag->text);
    case VALUE_TUPLE:
    case VALUE_SET:
      return compare_items(e, a, b);
    default:
      return compare_numbers((uintptr_t)a, (uintptr_t)b);
  }
}

/* Can the value be told from others already? Nodes only once there is a candidate. */
bool value_is_known(const struct eval *e, const struct value *value) {
  if (e->force) return true;
  switch (value->kind) {
    case VALUE_NODE:
      return value_is_empty(e, value);
    case VALUE_TUPLE:
    case VALUE_SET:
      for (unsigned i = 0; i < value->count; i++)
        if (!value_is_known(e, value->items[i])) return false;
      return true;
    case VALUE_CLASSES:
    case VALUE_PARTS:
    case VALUE_ORDERS:
    case VALUE_LATER:
      return false;
    default:
      return true;
  }
}

/* Position of a value in a set, or where it would stand. */
bool value_find(struct eval *e, const struct value *set, const struct value *item, unsigned *at) {
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
  if (set->count && (!value_is_known(e, item) || !value_is_known(e, set))) return value_of_kind(e, VALUE_LATER);
  if (!eval_spend(e, set->count / 16)) return set;
  unsigned at = 0;
  if (set->count && value_find(e, set, item, &at)) return set;
  struct value *larger = value_new(e, VALUE_SET);
  larger->count = set->count + 1;
  larger->items = ARENA_ARRAY(e->arena, const struct value *, larger->count);
  if (at) memcpy(larger->items, set->items, at * sizeof *larger->items);
  larger->items[at] = item;
  if (set->count > at) memcpy(larger->items + at + 1, set->items + at, (set->count - at) * sizeof *larger->items);
  return larger;
}

/* Merges two sets in canonical order: keep[0..2] for items only in a, in both, only in b. */
const struct value *value_merge(struct eval *e, const struct value *a, const struct value *b, const bool keep[3]) {
  if (!value_is_known(e, a) || !value_is_known(e, b)) return value_of_kind(e, VALUE_LATER);
  if (!eval_spend(e, (a->count + b->count) / 16)) return a;
  struct value *result = value_new(e, VALUE_SET);
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

bool value_is_set(const struct value *value) {
  return value->kind == VALUE_SET || value->kind == VALUE_CLASSES || value->kind == VALUE_PARTS ||
         value->kind == VALUE_ORDERS || value->kind == VALUE_TAG;
}

/* As a VALUE_SET: a tag stands for the set of itself. LATER when not known. */
const struct value *value_as_set(struct eval *e, const struct value *value) {
  struct value *set;
  switch (value->kind) {
    case VALUE_NONE:
      return value_new(e, VALUE_SET);
    case VALUE_TAG:
      set = value_new(e, VALUE_SET);
      set->items = ARENA_ARRAY(e->arena, const struct value *, 1);
      set->items[0] = value;
      set->count = 1;
      return set;
    default:
      value = force_set(e, value);
      return value->kind == VALUE_SET ? value : value_of_kind(e, VALUE_LATER);
  }
}
