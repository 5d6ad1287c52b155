/* SPDX-License-Identifier: MIT */
/* Values under a candidate: nodes of the graph are computed on demand, once;
 * orders are listed one at a time. */
#include "checker/cat/force_values.h"

#include <stdlib.h>

#include "checker/base/vec.h"
#include "checker/cat/node_operators.h"

struct shape force_shape(const struct eval *e) {
  return e->force ? e->force->env->shape : shape_of(0);
}

bool force_stopped(const struct eval *e) {
  const struct cat_env *env = e->force ? e->force->env : NULL;
  return env && env->stop && env->stop(env->context);
}

/* ---- forcing nodes --------------------------------------------------- */

static struct graph *layer_of(struct graph *graph, uint32_t node) {
  while (node < graph->first) graph = (struct graph *)graph->below;
  return graph;
}

static const word **slot_of(struct eval *e, uint32_t node) {
  if (node < e->force->base_count) return &e->force->base[node];
  struct graph *graph = layer_of(e->graph, node);
  return &graph->nodes[node - graph->first].value;
}

static word *room_for(struct eval *e, uint32_t node) {
  struct shape shape = force_shape(e);
  struct arena *arena = node < e->force->base_count ? e->force->arena : layer_of(e->graph, node)->arena;
  return ARENA_ARRAY(arena, word, node_words(shape, graph_type(e->graph, node)));
}

static const word *value_at(struct eval *e, uint32_t node) {
  return *slot_of(e, node);
}

static unsigned operands_of(enum cat_op op) {
  return op == CAT_REC ? 0 : cat_operand_count(op);
}

static enum cat_op op_at(const struct eval *e, uint32_t node) {
  return graph_at(e->graph, node)->ir.op;
}

/* Computes one node whose operands have values, into `out`. */
static void compute(struct eval *e, uint32_t node, word *out) {
  const struct cat_node *ir = &graph_at(e->graph, node)->ir;
  unsigned operands = operands_of(ir->op);
  enum node_mask mask = operands == 2 ? node_mask(ir, op_at(e, ir->a), op_at(e, ir->b)) : MASK_NONE;
  node_apply(force_shape(e), ir, mask, out, operands > 0 ? value_at(e, ir->a) : NULL,
             operands > 1 ? value_at(e, ir->b) : NULL);
}

static bool compute_range(struct eval *e, const bool *wanted, uint32_t first, uint32_t end, bool again);

/* The least fixpoint of the recursive group whose first wanted variable is `first`. */
static bool compute_group(struct eval *e, const bool *wanted, uint32_t first, bool again) {
  uint32_t end = graph_at(e->graph, first)->ir.group_end, variables = first;
  if (!end) return false; /* still open */
  struct shape shape = force_shape(e);
  while (variables < end && graph_at(e->graph, variables)->ir.op == CAT_REC &&
         graph_at(e->graph, variables)->ir.group_end == end)
    variables++;
  for (uint32_t i = first; i < variables; i++) {
    if (!wanted[i]) continue;
    if (!again || !value_at(e, i)) *slot_of(e, i) = room_for(e, i);
    words_clear(node_words(shape, graph_type(e->graph, i)), (word *)value_at(e, i));
  }
  for (bool changed = true; changed;) {
    changed = false;
    if (!compute_range(e, wanted, variables, end, true)) return false;
    for (uint32_t i = first; i < variables; i++) {
      if (!wanted[i]) continue;
      size_t count = node_words(shape, graph_type(e->graph, i));
      const word *body = value_at(e, graph_at(e->graph, i)->ir.a);
      word *value = (word *)value_at(e, i);
      changed |= !words_equal(count, value, body);
      words_copy(count, value, body);
    }
  }
  return true;
}

/* Computes the wanted nodes of a range in order; with `again`, anew. */
static bool compute_range(struct eval *e, const bool *wanted, uint32_t first, uint32_t end, bool again) {
  for (uint32_t node = first; node < end; node++) {
    if (!wanted[node]) continue;
    const struct cat_node *ir = &graph_at(e->graph, node)->ir;
    if (ir->op == CAT_REC) {
      if (!compute_group(e, wanted, node, again)) return false;
      node = ir->group_end - 1;
      continue;
    }
    if ((int)ir->op == GRAPH_LEAF) {
      if (!value_at(e, node)) return false;
      continue;
    }
    if (ir->op == CAT_BASE) {
      if (!value_at(e, node)) *slot_of(e, node) = e->force->env->base(e->force->env->context, ir);
      continue;
    }
    word *out = value_at(e, node) ? (word *)value_at(e, node) : room_for(e, node);
    compute(e, node, out);
    *slot_of(e, node) = out;
  }
  return true;
}

/* Nodes that are wanted, and those of them whose operands were not looked at. */
struct wants {
  bool *wanted;
  uint32_t *stack;
  uint32_t depth, first, end; /* of those that are wanted */
};

static void want_node(struct eval *e, struct wants *wants, uint32_t node) {
  if (wants->wanted[node] || value_at(e, node)) return;
  wants->wanted[node] = true;
  wants->stack[wants->depth++] = node;
  if (node < wants->first) wants->first = node;
  if (node >= wants->end) wants->end = node + 1;
}

/* All nodes without a value that `node` stands on. */
static void want(struct eval *e, struct wants *wants, uint32_t node) {
  want_node(e, wants, node);
  while (wants->depth) {
    const struct cat_node *ir = &graph_at(e->graph, wants->stack[--wants->depth])->ir;
    unsigned count = ir->op == CAT_REC ? (ir->group_end ? 1 : 0) : operands_of(ir->op);
    if (count > 0) want_node(e, wants, ir->a);
    if (count > 1) want_node(e, wants, ir->b);
  }
}

/* Have all operands a value already? Then one step is enough. */
static bool is_ready(struct eval *e, const struct cat_node *ir) {
  if ((int)ir->op == GRAPH_LEAF || ir->op == CAT_REC) return false;
  unsigned count = operands_of(ir->op);
  return (count < 1 || value_at(e, ir->a)) && (count < 2 || value_at(e, ir->b));
}

static const word *force_ready(struct eval *e, uint32_t node) {
  const struct cat_node *ir = &graph_at(e->graph, node)->ir;
  if (ir->op == CAT_BASE) return *slot_of(e, node) = e->force->env->base(e->force->env->context, ir);
  word *out = room_for(e, node);
  compute(e, node, out);
  return *slot_of(e, node) = out;
}

const word *force_node(struct eval *e, uint32_t node) {
  if (!e->force) return NULL;
  const word *value = value_at(e, node);
  if (value) return value;
  if (graph_at(e->graph, node)->open) return NULL;
  uint32_t count = e->graph->count;
  if (is_ready(e, &graph_at(e->graph, node)->ir)) return force_ready(e, node);
  struct wants wants = {ARENA_ARRAY(e->arena, bool, count), ARENA_ARRAY(e->arena, uint32_t, count), 0, node, node};
  want(e, &wants, node);
  return compute_range(e, wants.wanted, wants.first, wants.end, false) ? value_at(e, node) : NULL;
}

/* ---- orders ---------------------------------------------------------- */

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
  word *copy = ARENA_ARRAY(keeping->eval->arena, word, keeping->words);
  words_copy(keeping->words, copy, order);
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
    struct value *orders = ARENA_NEW(e->arena, struct value);
    *orders = (struct value){.kind = VALUE_ORDERS, .node = class->node, .order = value->order};
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
