/* SPDX-License-Identifier: MIT */
/* Values under a candidate: nodes of the graph are computed on demand, once; those of `let rec` as least fixpoints. */
#include "checker/cat/node_values_on_candidate.h"

#include "checker/cat/node_operators.h"

struct shape force_shape(const struct eval *e) {
  return e->force ? e->force->env->shape : shape_of(0);
}

bool force_stopped(const struct eval *e) {
  const struct cat_env *env = e->force ? e->force->env : NULL;
  return env && env->stop && env->stop(env->context);
}

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
