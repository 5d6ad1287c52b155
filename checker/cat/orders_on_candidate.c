/* SPDX-License-Identifier: MIT */
/* The total orders that `linearisations` and its like stand for, listed one at a time on a candidate. */
#include "checker/cat/orders_on_candidate.h"

#include <stdlib.h>

#include "checker/base/vec.h"
#include "checker/cat/node_values_on_candidate.h"

/* Lists the total orders of some events, location by location or of all
 * together, that extend a relation.  The order is built in place: when an
 * event is taken, all events of its class taken before it precede it. */
struct listing {
  struct shape shape;
  unsigned class_count;
  const word **classes; /* sets of events */
  const word *before;   /* the relation's closure, transposed: row b holds what must precede b */
  word *order;          /* being built */
  void *context;
  bool (*each)(void *context, const word *order); /* false stops */
};

static bool list_class(struct listing *listing, unsigned at, word *taken, word *left);

static bool list_next_class(struct listing *listing, unsigned at) {
  if (at == listing->class_count) return listing->each(listing->context, listing->order);
  size_t words = set_words(listing->shape);
  word taken[words], left[words];
  words_clear(words, taken);
  words_copy(words, left, listing->classes[at]);
  return list_class(listing, at, taken, left);
}

static bool list_class(struct listing *listing, unsigned at, word *taken, word *left) {
  struct shape shape = listing->shape;
  size_t words = set_words(shape);
  if (words_empty(words, left)) return list_next_class(listing, at + 1);
  for (unsigned event = 0; event < shape.n; event++) {
    if (!set_has(left, event) || words_meet(words, left, rel_row_const(shape, listing->before, event))) continue;
    for (unsigned a = 0; a < shape.n; a++)
      if (set_has(taken, a)) rel_add(shape, listing->order, a, event);
    set_drop(left, event);
    set_add(taken, event);
    bool go_on = list_class(listing, at, taken, left);
    set_drop(taken, event);
    set_add(left, event);
    for (unsigned a = 0; a < shape.n; a++)
      if (set_has(taken, a)) rel_drop(shape, listing->order, a, event);
    if (!go_on) return false;
  }
  return true;
}

/* The classes of `events` by location; those without one stay alone. */
static unsigned cut_by_location(struct eval *e, const word *events, const word ***classes) {
  struct shape shape = force_shape(e);
  size_t words = set_words(shape);
  const word *loc = force_node(e, graph_base(e->graph, BASE_LOC, NULL));
  word *left = ARENA_ARRAY(e->arena, word, words);
  VEC(const word *) list = {0};
  words_copy(words, left, events);
  for (unsigned event = 0; event < shape.n; event++) {
    if (!set_has(left, event)) continue;
    word *class = ARENA_ARRAY(e->arena, word, words);
    words_and(words, class, left, rel_row_const(shape, loc, event));
    set_add(class, event);
    words_minus(words, left, left, class);
    *vec_push(e->arena, &list) = class;
  }
  *classes = list.at;
  return (unsigned)list.count;
}

bool force_orders(struct eval *e, const struct value *orders, void *context,
                  bool (*each)(void *context, const word *order)) {
  const word *events = force_node(e, orders->node);
  const word *order = force_node(e, graph_unary(e->graph, CAT_INVERSE, graph_unary(e->graph, CAT_PLUS, orders->order)));
  if (!events || !order) return false;
  struct shape shape = force_shape(e);
  for (unsigned event = 0; event < shape.n; event++) /* a cycle: there is no order at all */
    if (set_has(events, event) && rel_has(shape, order, event, event)) return true;
  struct listing listing = {.shape = shape, .before = order, .context = context, .each = each};
  listing.order = ARENA_ARRAY(e->arena, word, rel_words(shape));
  if (orders->by_location) {
    listing.class_count = cut_by_location(e, events, &listing.classes);
  } else {
    listing.classes = ARENA_ARRAY(e->arena, const word *, 1);
    listing.classes[0] = events;
    listing.class_count = 1;
  }
  list_next_class(&listing, 0);
  return true;
}

struct keeping {
  struct eval *eval;
  size_t words;
  VEC(const word *) orders;
};

static bool keep_order(void *context, const word *order) {
  struct keeping *keeping = context;
  if (!eval_spend(keeping->eval, 1 + keeping->words / 16)) return false;
  word *copy = ARENA_COPY(keeping->eval->arena, word, order, keeping->words);
  *vec_push(keeping->eval->arena, &keeping->orders) = copy;
  return true;
}

static int compare_orders(const void *a, const void *b, void *context) {
  const struct keeping *keeping = context;
  const word *x = *(const word *const *)a, *y = *(const word *const *)b;
  for (size_t i = 0; i < keeping->words; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

static const struct value *keep_orders(struct eval *e, const struct value *orders) {
  struct keeping keeping = {.eval = e, .words = rel_words(force_shape(e))};
  if (!force_orders(e, orders, &keeping, keep_order)) return orders;
  if (keeping.orders.count)
    qsort_r(keeping.orders.at, keeping.orders.count, sizeof *keeping.orders.at, compare_orders, &keeping);
  struct value *set = ARENA_NEW(e->arena, struct value);
  set->kind = VALUE_SET;
  set->count = (unsigned)keeping.orders.count;
  set->items = ARENA_ARRAY(e->arena, const struct value *, set->count);
  for (unsigned i = 0; i < set->count; i++)
    set->items[i] = value_node(e, graph_leaf(e->graph, CAT_REL, keeping.orders.at[i]));
  return set;
}

/* The events of each location, or (PARTS) the set of their orders. */
static const struct value *keep_classes(struct eval *e, const struct value *value) {
  const word *events = force_node(e, value->node);
  if (!events) return value;
  const word **classes;
  unsigned count = cut_by_location(e, events, &classes);
  const struct value *set = value_of_kind(e, VALUE_SET);
  for (unsigned i = 0; i < count; i++) {
    const struct value *class = value_node(e, graph_leaf(e->graph, CAT_SET, classes[i]));
    struct value *orders =
        ARENA_MAKE(e->arena, struct value, .kind = VALUE_ORDERS, .node = class->node, .order = value->order);
    set = value_insert(e, set, value->kind == VALUE_CLASSES ? class : keep_orders(e, orders));
  }
  return set;
}

const struct value *force_set(struct eval *e, const struct value *value) {
  if (!e->force) return value;
  switch (value->kind) {
    case VALUE_CLASSES:
    case VALUE_PARTS:
      return keep_classes(e, value);
    case VALUE_ORDERS:
      return keep_orders(e, value);
    default:
      return value;
  }
}
