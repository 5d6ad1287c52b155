/* SPDX-License-Identifier: MIT */
/* The end of a candidate: both bounds are the value, and what no bound was kept
 * of (flags, mostly) is computed now.
 */
#include "checker/exec/deductions/bounds_internal.h"
#include "checker/exec/predefined_relations.h"

static const word *exact_value(const struct bounds *b, const struct bounds_level *level, uint32_t i) {
  if (b->fixed[i]) return b->fixed[i];
  if (b->plan->late[i]) return b->exact.value[i];
  if (b->search && b->need[LOWER][i]) return level->value[LOWER][b->slot[i]];
  if (b->search && b->need[UPPER][i]) return level->value[UPPER][b->slot[i]];
  return b->exact.value[i];
}

static void exact_node(struct bounds *b, const struct bounds_level *level, uint32_t i, const struct partial *p,
                       word *out) {
  const struct cat_node *node = &b->ir->nodes[i];
  if (node->op == CAT_BASE && node->base == BASE_SAME_VALUE)
    execution_same_values(b->structure, out);
  else if (node->op == CAT_BASE)
    level_base(b, node->base, p, LOWER, out);
  else if (node->op == CAT_REC)
    words_copy(bounds_words_of(b, i), out, exact_value(b, level, node->a));
  else
    node_apply_in(b->shape, b->ir, i, out, is_nullary(node->op) ? NULL : exact_value(b, level, node->a),
                  is_binary(node->op) ? exact_value(b, level, node->b) : NULL);
}

bool exact_only(const struct bounds *b, uint32_t i) {
  if (!b->exact.need[i]) return false;
  bool kept = b->search && (b->need[LOWER][i] || b->need[UPPER][i]);
  return !b->fixed[i] && (b->plan->late[i] || !kept);
}

static void exact_group(struct bounds *b, const struct bounds_level *level, uint32_t first, const struct partial *p) {
  uint32_t end = b->ir->nodes[first].group_end;
  for (uint32_t i = first; i < end; i++)
    if (exact_only(b, i)) words_clear(bounds_words_of(b, i), b->exact.value[i]);
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t i = first; i < end; i++) {
      if (!exact_only(b, i)) continue;
      exact_node(b, level, i, p, b->update.value);
      grew |= !words_equal(bounds_words_of(b, i), b->update.value, b->exact.value[i]);
      words_copy(bounds_words_of(b, i), b->exact.value[i], b->update.value);
    }
  }
}

const struct cat_check *bounds_finish(struct bounds *b, struct bounds_level *level, const struct partial *p,
                                      uint64_t *raised) {
  for (uint32_t k = 0; k < b->exact.count; k++) {
    uint32_t i = b->exact.list[k];
    if (b->ir->nodes[i].op != CAT_REC) {
      exact_node(b, level, i, p, b->exact.value[i]);
      continue;
    }
    exact_group(b, level, i, p);
    while (k + 1 < b->exact.count && b->exact.list[k + 1] < b->ir->nodes[i].group_end) k++;
  }
  words_clear((b->ir->check_count + 63) / 64, raised);
  for (uint32_t c = 0; c < b->ir->check_count; c++) {
    const struct cat_check *check = &b->ir->checks[c];
    bool holds = b->checks[c] == CHECK_TRUE;
    if (b->checks[c] == CHECK_OPEN)
      holds = bounds_holds_on(b, check, exact_value(b, level, check->node)) != check->negated;
    if (check->role == ROLE_REQUIRE && !holds) return check;
    bool raise = check->role == ROLE_FLAG ? holds : check->role == ROLE_UNDEFINED && !holds;
    if (raise) set_add(raised, c);
  }
  return NULL;
}
