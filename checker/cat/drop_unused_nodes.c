/* SPDX-License-Identifier: MIT */
/* Packing: once a model is compiled, nodes that no check, flag or drawing
 * needs are left out, recursive groups are left with what is recursive, and the
 * rest is renumbered. */
#include "checker/cat/drop_unused_nodes.h"

#include "checker/base/array.h"

static const struct cat_node *ir_node(const struct graph *graph, uint32_t node) {
  return &graph_at(graph, node)->ir;
}

/* Which nodes of the recursive group from `first` depend on its variables?  Those
 * of a group inside it count as if they did. */
static void find_recursive(const struct graph *graph, uint32_t first, uint32_t end, bool *recursive) {
  for (uint32_t i = first; i < end; i++) {
    const struct cat_node *ir = ir_node(graph, i);
    const uint32_t operands[] = {ir->a, ir->b};
    recursive[i] = ir->op == CAT_REC;
    for (unsigned k = 0; k < cat_operand_count(ir->op) && ir->op != CAT_REC; k++)
      recursive[i] |= operands[k] >= first && recursive[operands[k]];
  }
}

/* Where everything goes: in order, but that what a recursive definition mentions
 * and does not change goes before its group.  The engine computes the group by
 * iterating it, one bound of everything in it after the other; the right side of
 * a difference has to be there before. */
static uint32_t place_nodes(const struct graph *graph, const bool *used, bool *recursive, uint32_t *place,
                            uint32_t *group_end) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < graph->count;) {
    const struct cat_node *ir = ir_node(graph, i);
    uint32_t end = ir->op == CAT_REC ? ir->group_end : i + 1;
    if (ir->op == CAT_REC) find_recursive(graph, i, end, recursive);
    for (int pass = 0; pass < 2; pass++)
      for (uint32_t k = i; k < end; k++)
        if (used[k] && recursive[k] == (pass == 1)) place[k] = next++;
    for (uint32_t k = i; k < end; k++) group_end[k] = next;
    i = end;
  }
  return next;
}

/* Copies the nodes in use and says where each went. */
static void pack_nodes(struct arena *arena, const struct graph *graph, const bool *used, uint32_t *place,
                       struct cat_ir *ir) {
  uint32_t count = graph->count;
  uint32_t *group_end = ARENA_ARRAY(arena, uint32_t, count);
  ir->node_count = place_nodes(graph, used, ARENA_ARRAY(arena, bool, count), place, group_end);
  ir->nodes = ARENA_ARRAY(arena, struct cat_node, ir->node_count);
  for (uint32_t i = 0; i < count; i++) {
    if (!used[i]) continue;
    struct cat_node *node = &ir->nodes[place[i]];
    *node = *ir_node(graph, i);
    if ((int)node->op == GRAPH_LEAF) node->op = CAT_CHOSEN;
    unsigned operands = cat_operand_count(node->op);
    if (operands > 0) node->a = place[node->a];
    if (operands > 1) node->b = place[node->b];
    if (node->op == CAT_REC) node->group_end = group_end[i];
  }
}

void drop_unused_nodes(struct arena *arena, const struct graph *graph, struct cat_ir *ir) {
  uint32_t count = graph->count;
  bool *used = ARENA_ARRAY(arena, bool, count);
  uint32_t *stack = ARENA_ARRAY(arena, uint32_t, count);
  uint32_t *place = ARENA_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < ir->check_count; i++) graph_mark(graph, used, stack, ir->checks[i].node);
  for (uint32_t i = 0; i < ir->hint_count; i++) graph_mark(graph, used, stack, ir->hints[i].axiom.node);
  for (uint32_t i = 0; i < ir->show_count; i++) graph_mark(graph, used, stack, ir->shows[i].node);
  for (uint32_t i = 0; i < ir->choice_count; i++) {
    graph_mark(graph, used, stack, ir->choices[i].node);
    graph_mark(graph, used, stack, ir->choices[i].a);
    if (ir->choices[i].orders) graph_mark(graph, used, stack, ir->choices[i].b);
  }
  if (!ir->orders_all) graph_mark(graph, used, stack, ir->ordered);
  pack_nodes(arena, graph, used, place, ir);
  if (!ir->orders_all) ir->ordered = place[ir->ordered];
  ARRAY_EACH (struct cat_choice, choice, ir->choices, ir->choice_count) {
    *choice = (struct cat_choice){place[choice->node], choice->orders, place[choice->a], place[choice->b]};
  }
  for (uint32_t i = 0; i < ir->check_count; i++) ir->checks[i].node = place[ir->checks[i].node];
  for (uint32_t i = 0; i < ir->hint_count; i++) ir->hints[i].axiom.node = place[ir->hints[i].axiom.node];
  for (uint32_t i = 0; i < ir->show_count; i++) ir->shows[i].node = place[ir->shows[i].node];
}
