/* SPDX-License-Identifier: MIT */
/* Packing: once a model is compiled, nodes that no check, flag or drawing
 * needs are left out and the rest is renumbered. */
#include "checker/cat/pack.h"

static const struct cat_node *ir_node(const struct graph *graph, uint32_t node) {
  return &graph_at(graph, node)->ir;
}

/* Marks all that a node stands on. */
static void mark(const struct graph *graph, bool *used, uint32_t *stack, uint32_t node) {
  uint32_t depth = 0;
  if (used[node]) return;
  used[node] = true;
  stack[depth++] = node;
  while (depth) {
    const struct cat_node *ir = ir_node(graph, stack[--depth]);
    const uint32_t operands[] = {ir->a, ir->b};
    for (unsigned i = 0; i < cat_operand_count(ir->op); i++) {
      if (used[operands[i]]) continue;
      used[operands[i]] = true;
      stack[depth++] = operands[i];
    }
  }
}

/* Copies the nodes in use, in order, and says where each went. */
static void pack_nodes(struct arena *arena, const struct graph *graph, const bool *used, uint32_t *place,
                       struct cat_ir *ir) {
  uint32_t count = graph->count;
  for (uint32_t i = 0; i < count; i++) {
    place[i] = ir->node_count;
    ir->node_count += used[i];
  }
  place[count] = ir->node_count;
  ir->nodes = ARENA_ARRAY(arena, struct cat_node, ir->node_count);
  for (uint32_t i = 0; i < count; i++) {
    if (!used[i]) continue;
    struct cat_node *node = &ir->nodes[place[i]];
    *node = *ir_node(graph, i);
    unsigned operands = cat_operand_count(node->op);
    if (operands > 0) node->a = place[node->a];
    if (operands > 1) node->b = place[node->b];
    if (node->op == CAT_REC) node->group_end = place[node->group_end];
  }
}

void pack_model(struct arena *arena, const struct graph *graph, struct cat_ir *ir) {
  uint32_t count = graph->count;
  bool *used = ARENA_ARRAY(arena, bool, count);
  uint32_t *stack = ARENA_ARRAY(arena, uint32_t, count);
  uint32_t *place = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
  for (uint32_t i = 0; i < ir->check_count; i++) mark(graph, used, stack, ir->checks[i].node);
  for (uint32_t i = 0; i < ir->show_count; i++) mark(graph, used, stack, ir->shows[i].node);
  pack_nodes(arena, graph, used, place, ir);
  for (uint32_t i = 0; i < ir->check_count; i++) ir->checks[i].node = place[ir->checks[i].node];
  for (uint32_t i = 0; i < ir->show_count; i++) ir->shows[i].node = place[ir->shows[i].node];
}
