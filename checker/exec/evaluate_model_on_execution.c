/* SPDX-License-Identifier: MIT */
/* A model on one complete execution: every node once, in order. */
#include "checker/exec/evaluate_model_on_execution.h"

#include "checker/cat/node_operators.h"
#include "checker/exec/predefined_relations.h"

static bool stays_empty(const struct valuation *v, uint32_t node) {
  return v->unknown && v->unknown[node];
}

/* Evaluates nodes first .. end - 1; recursive groups by iteration from empty. */
static void evaluate_range(struct arena *arena, struct valuation *v, const struct execution *x, uint32_t first,
                           uint32_t end);

/* One round over a group's nodes; true when a recursive variable grew. */
static bool iterate_group(struct arena *arena, struct valuation *v, const struct execution *x, uint32_t first,
                          uint32_t variables, uint32_t end) {
  evaluate_range(arena, v, x, variables, end);
  bool grew = false;
  for (uint32_t i = first; i < variables; i++) {
    const struct cat_node *rec = &v->ir->nodes[i];
    size_t words = node_words(v->shape, rec->type);
    if (stays_empty(v, i) || !v->value[rec->a] || words_equal(words, v->value[i], v->value[rec->a])) continue;
    words_copy(words, v->value[i], v->value[rec->a]);
    grew = true;
  }
  return grew;
}

static void evaluate_group(struct arena *arena, struct valuation *v, const struct execution *x, uint32_t first,
                           uint32_t *end) {
  const struct cat_node *nodes = v->ir->nodes;
  *end = nodes[first].group_end;
  uint32_t variables = first;
  for (; variables < *end && nodes[variables].op == CAT_REC; variables++)
    v->value[variables] = ARENA_ARRAY(arena, word, node_words(v->shape, nodes[variables].type));
  while (iterate_group(arena, v, x, first, variables, *end)) continue;
}

static void evaluate_range(struct arena *arena, struct valuation *v, const struct execution *x, uint32_t first,
                           uint32_t end) {
  for (uint32_t i = first; i < end; i++) {
    const struct cat_node *node = &v->ir->nodes[i];
    size_t words = node_words(v->shape, node->type);
    bool again = v->value[i] != NULL;
    if (v->wanted && !v->wanted[i]) continue;
    if (node->op == CAT_REC) {
      uint32_t group_end;
      evaluate_group(arena, v, x, i, &group_end);
      i = group_end - 1;
      continue;
    }
    if (!again) v->value[i] = ARENA_ARRAY(arena, word, words);
    if (stays_empty(v, i)) continue;
    if (node->op != CAT_BASE)
      node_apply_in(v->shape, v->ir, i, v->value[i], v->value[node->a], v->value[node->b]);
    else if (!again)
      words_copy(words, v->value[i], execution_node(arena, x, node));
  }
}

struct valuation *evaluate(struct arena *arena, const struct cat_ir *ir, const struct execution *execution) {
  return evaluate_known(arena, ir, execution, NULL, NULL);
}

struct valuation *evaluate_known(struct arena *arena, const struct cat_ir *ir, const struct execution *execution,
                                 const bool *wanted, const bool *unknown) {
  struct valuation *v = ARENA_MAKE(arena, struct valuation, execution->shape, ir, wanted, unknown,
                                   ARENA_ARRAY(arena, word *, ir->node_count));
  evaluate_range(arena, v, execution, 0, ir->node_count);
  return v;
}

bool valuation_meets(const struct valuation *v, const struct cat_check *check) {
  word scratch[v->shape.w];
  enum cat_type type = v->ir->nodes[check->node].type;
  return node_check(v->shape, check->kind, type, v->value[check->node], scratch) != check->negated;
}
