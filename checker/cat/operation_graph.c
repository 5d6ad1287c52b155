/* SPDX-License-Identifier: MIT */
/* Hash-consed nodes, and the rewriting done as each is built. */
#include "checker/cat/operation_graph.h"

#include <assert.h>
#include <string.h>

#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

struct graph graph_new(struct arena *arena, const struct graph *below) {
  uint32_t first = below ? below->count : 0;
  return (struct graph){.arena = arena, .below = below, .first = first, .count = first};
}

const struct graph_node *graph_at(const struct graph *graph, uint32_t node) {
  while (node < graph->first) graph = graph->below;
  return &graph->nodes[node - graph->first];
}

enum cat_type graph_type(const struct graph *graph, uint32_t node) {
  return graph_at(graph, node)->ir.type;
}

/* ---- hashing --------------------------------------------------------- */

static uint64_t hash_node(const struct cat_node *node) {
  uint64_t hash = hash_join(hash_join(hash_join(0, (uint64_t)node->op), node->a), node->b);
  hash = hash_join(hash, (uint64_t)node->base ^ (uint64_t)node->type << 32);
  return node->base_name ? hash_join(hash, text_hash(TEXT_HASH, node->base_name)) : hash;
}

static bool same_node(const struct cat_node *a, const struct cat_node *b) {
  if (a->op != b->op || a->type != b->type || a->a != b->a || a->b != b->b || a->base != b->base) return false;
  if (!a->base_name || !b->base_name) return a->base_name == b->base_name;
  return !strcmp(a->base_name, b->base_name);
}

/* The node equal to `wanted` in this graph or below, or UINT32_MAX. */
static uint32_t find(const struct graph *graph, const struct cat_node *wanted) {
  uint64_t hash = hash_node(wanted);
  for (; graph; graph = graph->below)
    HASH_EACH (at, &graph->shared, hash) {
      uint32_t node = hash_number(&graph->shared, at);
      if (same_node(&graph_at(graph, node)->ir, wanted)) return node;
    }
  return UINT32_MAX;
}

static uint64_t open_of(const struct graph *graph, const struct cat_node *node) {
  if ((int)node->op == GRAPH_LEAF) return GRAPH_CHOSEN;
  unsigned count = node->op == CAT_REC ? 0 : cat_operand_count(node->op);
  return (count > 0 ? graph_at(graph, node->a)->open : 0) | (count > 1 ? graph_at(graph, node->b)->open : 0);
}

/* Operands are there before what is made of them, and of the types that it takes: so one pass in the order of numbers
 * evaluates a graph.  What a recursive variable stands for comes later. */
__attribute__((unused)) static bool is_typed(const struct graph *graph, const struct cat_node *node) {
  if ((int)node->op == GRAPH_LEAF || node->op == CAT_REC) return true;
  unsigned count = cat_operand_count(node->op);
  if ((count > 0 && node->a >= graph->count) || (count > 1 && node->b >= graph->count)) return false;
  enum cat_type a = count > 0 ? graph_type(graph, node->a) : node->type,
                b = count > 1 ? graph_type(graph, node->b) : node->type;
  switch (node->op) {
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF:
    case CAT_COMPL:
      return a == node->type && b == node->type;
    case CAT_SEQ:
    case CAT_INVERSE:
    case CAT_OPT:
    case CAT_STAR:
    case CAT_PLUS:
      return node->type == CAT_REL && a == CAT_REL && b == CAT_REL;
    case CAT_TOID:
      return node->type == CAT_REL && a == CAT_SET;
    case CAT_CROSS:
      return node->type == CAT_REL && a == CAT_SET && b == CAT_SET;
    case CAT_DOMAIN:
    case CAT_RANGE:
      return node->type == CAT_SET && a == CAT_REL;
    default:
      return true;
  }
}

static uint32_t append(struct graph *graph, const struct cat_node *node, bool shared) {
  assert(is_typed(graph, node));
  size_t room = graph->room;
  vec_reserve(graph->arena, (void **)&graph->nodes, &room, graph->count - graph->first + 1, sizeof *graph->nodes);
  graph->room = (uint32_t)room;
  graph->nodes[graph->count - graph->first] = (struct graph_node){.ir = *node, .open = open_of(graph, node)};
  graph->nodes[graph->count - graph->first].ir.from = graph->from;
  uint32_t id = graph->count++;
  if (shared) hash_add(graph->arena, &graph->shared, hash_node(node), id);
  return id;
}

static uint32_t intern(struct graph *graph, const struct cat_node *node) {
  uint32_t found = find(graph, node);
  return found != UINT32_MAX ? found : append(graph, node, true);
}

/* ---- leaves ---------------------------------------------------------- */

uint32_t graph_base(struct graph *graph, enum cat_base base, const char *tag) {
  struct cat_node node = {.op = CAT_BASE, .type = cat_bases[base].type, .base = base, .base_name = tag};
  uint32_t known = find(graph, &node);
  if (known != UINT32_MAX) return known;
  node.tags = tags_named(base == BASE_TAG ? tag : cat_bases[base].names);
  return intern(graph, &node);
}

uint32_t graph_empty(struct graph *graph, enum cat_type type) {
  return intern(graph, &(struct cat_node){.op = CAT_EMPTY, .type = type});
}

static uint32_t full(struct graph *graph, enum cat_type type) {
  return graph_base(graph, type == CAT_SET ? BASE_ALL_EVENTS : BASE_UNV, NULL);
}

uint32_t graph_leaf(struct graph *graph, enum cat_type type, const word *value) {
  uint32_t id = append(graph, &(struct cat_node){.op = (enum cat_op)GRAPH_LEAF, .type = type}, false);
  graph->nodes[id - graph->first].value = value;
  if (value) graph->nodes[id - graph->first].open = 0;
  return id;
}

/* ---- algebra --------------------------------------------------------- */

static const struct cat_node *at(const struct graph *graph, uint32_t node) {
  return &graph_at(graph, node)->ir;
}

static bool is_op(const struct graph *graph, uint32_t node, enum cat_op op) {
  return at(graph, node)->op == op;
}

static bool is_base(const struct graph *graph, uint32_t node, enum cat_base base) {
  return is_op(graph, node, CAT_BASE) && at(graph, node)->base == base;
}

static bool is_full(const struct graph *graph, uint32_t node) {
  return is_base(graph, node, BASE_UNV) || is_base(graph, node, BASE_ALL_EVENTS);
}

/* Predefined relations without (e, e). */
static bool is_strict(const struct graph *graph, uint32_t node) {
  enum cat_base base = at(graph, node)->base;
  return is_op(graph, node, CAT_BASE) && (base == BASE_PO || base == BASE_RF || base == BASE_CO || base == BASE_FR ||
                                          base == BASE_RMW || base == BASE_EXT);
}

static bool is_symmetric(const struct graph *graph, uint32_t node) {
  enum cat_base base = at(graph, node)->base;
  if (!is_op(graph, node, CAT_BASE)) return is_op(graph, node, CAT_TOID);
  return base == BASE_ID || base == BASE_UNV || base == BASE_LOC || base == BASE_INT || base == BASE_EXT ||
         base == BASE_WI || base == BASE_SGR || base == BASE_WGR || base == BASE_DEV || base == BASE_SYSR ||
         base == BASE_SAMEOBJ;
}

static bool is_transitive(const struct graph *graph, uint32_t node) {
  if (is_op(graph, node, CAT_PLUS) || is_op(graph, node, CAT_STAR) || is_op(graph, node, CAT_TOID)) return true;
  return is_base(graph, node, BASE_PO) || is_base(graph, node, BASE_CO) || is_base(graph, node, BASE_ID) ||
         is_base(graph, node, BASE_UNV) || is_base(graph, node, BASE_LOC) || is_base(graph, node, BASE_INT);
}

static uint32_t node_unary(struct graph *graph, enum cat_op op, enum cat_type type, uint32_t a) {
  return intern(graph, &(struct cat_node){.op = op, .type = type, .a = a});
}

static uint32_t node_binary(struct graph *graph, enum cat_op op, enum cat_type type, uint32_t a, uint32_t b) {
  return intern(graph, &(struct cat_node){.op = op, .type = type, .a = a, .b = b});
}

static uint32_t node_symmetric(struct graph *graph, enum cat_op op, uint32_t a, uint32_t b) {
  struct cat_node node = {.op = op, .type = graph_type(graph, a), .a = a < b ? a : b, .b = a < b ? b : a};
  node.swapped = b < a;
  return intern(graph, &node);
}

static uint32_t build_union(struct graph *graph, uint32_t a, uint32_t b) {
  if (a == b || is_op(graph, b, CAT_EMPTY) || is_full(graph, a)) return a;
  if (is_op(graph, a, CAT_EMPTY) || is_full(graph, b)) return b;
  if (is_base(graph, a, BASE_ID)) return graph_unary(graph, CAT_OPT, b);
  if (is_base(graph, b, BASE_ID)) return graph_unary(graph, CAT_OPT, a);
  return node_symmetric(graph, CAT_UNION, a, b);
}

static uint32_t build_inter(struct graph *graph, uint32_t a, uint32_t b) {
  if (a == b || is_op(graph, a, CAT_EMPTY) || is_full(graph, b)) return a;
  if (is_op(graph, b, CAT_EMPTY) || is_full(graph, a)) return b;
  bool not_a = is_op(graph, a, CAT_COMPL), not_b = is_op(graph, b, CAT_COMPL);
  if (not_a && not_b)
    return graph_unary(graph, CAT_COMPL, graph_binary(graph, CAT_UNION, at(graph, a)->a, at(graph, b)->a));
  if (not_b) return graph_binary(graph, CAT_DIFF, a, at(graph, b)->a);
  if (not_a) return graph_binary(graph, CAT_DIFF, b, at(graph, a)->a);
  return node_symmetric(graph, CAT_INTER, a, b);
}

static uint32_t build_diff(struct graph *graph, uint32_t a, uint32_t b) {
  enum cat_type type = graph_type(graph, a);
  if (a == b || is_op(graph, a, CAT_EMPTY) || is_full(graph, b)) return graph_empty(graph, type);
  if (is_op(graph, b, CAT_EMPTY)) return a;
  if (is_full(graph, a)) return graph_unary(graph, CAT_COMPL, b);
  if (is_op(graph, b, CAT_COMPL)) return graph_binary(graph, CAT_INTER, a, at(graph, b)->a);
  if (is_op(graph, a, CAT_COMPL)) /* ~x \ b = ~(x | b) */
    return graph_unary(graph, CAT_COMPL, graph_binary(graph, CAT_UNION, at(graph, a)->a, b));
  if (is_base(graph, b, BASE_ID) && is_strict(graph, a)) return a;
  return node_binary(graph, CAT_DIFF, type, a, b);
}

/* Events are reads or writes, never both, so rf^-1;co has no (e, e). */
static bool is_from_read(const struct graph *graph, uint32_t a, uint32_t b) {
  return is_base(graph, b, BASE_CO) && is_op(graph, a, CAT_INVERSE) && is_base(graph, at(graph, a)->a, BASE_RF);
}

static uint32_t build_seq(struct graph *graph, uint32_t a, uint32_t b) {
  if (is_op(graph, a, CAT_EMPTY) || is_base(graph, b, BASE_ID)) return a;
  if (is_op(graph, b, CAT_EMPTY) || is_base(graph, a, BASE_ID)) return b;
  if (is_from_read(graph, a, b)) return graph_base(graph, BASE_FR, NULL);
  if (is_op(graph, a, CAT_TOID) && is_op(graph, b, CAT_TOID))
    return graph_unary(graph, CAT_TOID, graph_binary(graph, CAT_INTER, at(graph, a)->a, at(graph, b)->a));
  return node_binary(graph, CAT_SEQ, CAT_REL, a, b);
}

static uint32_t build_cross(struct graph *graph, uint32_t a, uint32_t b) {
  if (is_op(graph, a, CAT_EMPTY) || is_op(graph, b, CAT_EMPTY)) return graph_empty(graph, CAT_REL);
  if (is_full(graph, a) && is_full(graph, b)) return full(graph, CAT_REL);
  return node_binary(graph, CAT_CROSS, CAT_REL, a, b);
}

uint32_t graph_binary(struct graph *graph, enum cat_op op, uint32_t a, uint32_t b) {
  static uint32_t (*const BUILD[])(struct graph * graph, uint32_t a, uint32_t b) = {[CAT_UNION] = build_union,
                                                                                    [CAT_INTER] = build_inter,
                                                                                    [CAT_DIFF] = build_diff,
                                                                                    [CAT_SEQ] = build_seq,
                                                                                    [CAT_CROSS] = build_cross};
  return BUILD[op](graph, a, b);
}

uint32_t graph_binary_of(struct graph *graph, enum cat_op op, uint32_t a, uint32_t b, const struct exp *from) {
  graph->from = from;
  uint32_t node = graph_binary(graph, op, a, b);
  graph->from = NULL;
  return node;
}

static uint32_t build_compl(struct graph *graph, uint32_t a) {
  enum cat_type type = graph_type(graph, a);
  if (is_op(graph, a, CAT_EMPTY)) return full(graph, type);
  if (is_full(graph, a)) return graph_empty(graph, type);
  if (is_op(graph, a, CAT_COMPL)) return at(graph, a)->a;
  return node_unary(graph, CAT_COMPL, type, a);
}

static uint32_t build_inverse(struct graph *graph, uint32_t a) {
  if (is_op(graph, a, CAT_EMPTY) || is_symmetric(graph, a)) return a;
  if (is_op(graph, a, CAT_INVERSE)) return at(graph, a)->a;
  if (is_op(graph, a, CAT_CROSS)) return graph_binary(graph, CAT_CROSS, at(graph, a)->b, at(graph, a)->a);
  return node_unary(graph, CAT_INVERSE, CAT_REL, a);
}

static uint32_t build_plus(struct graph *graph, uint32_t a) {
  if (is_op(graph, a, CAT_EMPTY) || is_transitive(graph, a)) return a;
  if (is_op(graph, a, CAT_OPT)) return graph_unary(graph, CAT_STAR, at(graph, a)->a);
  return node_unary(graph, CAT_PLUS, CAT_REL, a);
}

static uint32_t build_star(struct graph *graph, uint32_t a) {
  if (is_op(graph, a, CAT_EMPTY) || is_op(graph, a, CAT_TOID) || is_base(graph, a, BASE_ID))
    return graph_base(graph, BASE_ID, NULL);
  if (is_op(graph, a, CAT_STAR) || is_base(graph, a, BASE_UNV)) return a;
  if (is_op(graph, a, CAT_PLUS) || is_op(graph, a, CAT_OPT)) return graph_unary(graph, CAT_STAR, at(graph, a)->a);
  return node_unary(graph, CAT_STAR, CAT_REL, a);
}

static uint32_t build_opt(struct graph *graph, uint32_t a) {
  if (is_op(graph, a, CAT_EMPTY) || is_op(graph, a, CAT_TOID)) return graph_base(graph, BASE_ID, NULL);
  if (is_op(graph, a, CAT_STAR) || is_op(graph, a, CAT_OPT)) return a;
  if (is_base(graph, a, BASE_ID) || is_base(graph, a, BASE_UNV)) return a;
  if (is_op(graph, a, CAT_PLUS)) return graph_unary(graph, CAT_STAR, at(graph, a)->a);
  return node_unary(graph, CAT_OPT, CAT_REL, a);
}

static uint32_t build_toid(struct graph *graph, uint32_t a) {
  if (is_op(graph, a, CAT_EMPTY)) return graph_empty(graph, CAT_REL);
  if (is_full(graph, a)) return graph_base(graph, BASE_ID, NULL);
  return node_unary(graph, CAT_TOID, CAT_REL, a);
}

static uint32_t build_end(struct graph *graph, enum cat_op op, uint32_t a) {
  if (is_op(graph, a, CAT_EMPTY)) return graph_empty(graph, CAT_SET);
  if (is_base(graph, a, BASE_ID) || is_base(graph, a, BASE_UNV)) return full(graph, CAT_SET);
  if (is_op(graph, a, CAT_TOID)) return at(graph, a)->a;
  if (op == CAT_RANGE && is_base(graph, a, BASE_RF))
    return graph_base(graph, BASE_R, NULL); /* every read has a source */
  if (is_op(graph, a, CAT_INVERSE))
    return graph_unary(graph, op == CAT_DOMAIN ? CAT_RANGE : CAT_DOMAIN, at(graph, a)->a);
  return node_unary(graph, op, CAT_SET, a);
}

uint32_t graph_unary(struct graph *graph, enum cat_op op, uint32_t a) {
  static uint32_t (*const BUILD[])(struct graph * graph, uint32_t a) = {
      [CAT_COMPL] = build_compl, [CAT_INVERSE] = build_inverse, [CAT_PLUS] = build_plus,
      [CAT_STAR] = build_star,   [CAT_OPT] = build_opt,         [CAT_TOID] = build_toid};
  return op == CAT_DOMAIN || op == CAT_RANGE ? build_end(graph, op, a) : BUILD[op](graph, a);
}

/* ---- recursion ------------------------------------------------------- */

bool graph_is_open(const struct graph *graph, uint32_t node) {
  return (graph_at(graph, node)->open & ~GRAPH_CHOSEN) != 0;
}

bool graph_is_chosen(const struct graph *graph, uint32_t node) {
  return (graph_at(graph, node)->open & GRAPH_CHOSEN) != 0;
}

uint32_t graph_open(struct graph *graph, const enum cat_type *types, unsigned count) {
  uint32_t first = graph->count;
  for (unsigned i = 0; i < count; i++) {
    uint32_t id = append(graph, &(struct cat_node){.op = CAT_REC, .type = types[i]}, false);
    graph->nodes[id - graph->first].open = (uint64_t)1 << graph->open_groups;
  }
  graph->open_groups++;
  return first;
}

void graph_close(struct graph *graph, uint32_t first, const uint32_t *bodies, unsigned count) {
  uint64_t bit = (uint64_t)1 << --graph->open_groups, outer = 0;
  for (unsigned i = 0; i < count; i++) outer |= graph_at(graph, bodies[i])->open & ~bit;
  for (uint32_t i = first; i < graph->count; i++) {
    struct graph_node *node = &graph->nodes[i - graph->first];
    if (node->open & bit) node->open = (node->open & ~bit) | outer;
  }
  for (unsigned i = 0; i < count; i++) {
    struct graph_node *variable = &graph->nodes[first + i - graph->first];
    variable->ir.a = bodies[i];
    variable->ir.group_end = graph->count;
  }
}

void graph_mark(const struct graph *graph, bool *used, uint32_t *stack, uint32_t node) {
  uint32_t depth = 0;
  if (used[node]) return;
  used[node] = true;
  stack[depth++] = node;
  while (depth) {
    const struct cat_node *ir = at(graph, stack[--depth]);
    unsigned count = cat_operand_count(ir->op);
    const uint32_t operands[] = {ir->a, ir->b};
    for (unsigned i = 0; i < count; i++) {
      if (used[operands[i]]) continue;
      used[operands[i]] = true;
      stack[depth++] = operands[i];
    }
  }
}

void graph_set_growing(struct graph *graph, uint32_t variable) {
  graph->nodes[variable - graph->first].ir.grows = true;
}

void graph_name(struct graph *graph, uint32_t node, const char *name) {
  if (node < graph->first) return;
  struct cat_node *ir = &graph->nodes[node - graph->first].ir;
  if (ir->op != CAT_BASE && ir->op != CAT_EMPTY && !ir->name) ir->name = name;
}
