/* SPDX-License-Identifier: MIT */
/* The bounds of all nodes for one partial candidate, kept up to date.
 *
 * A level of the search shares with its parent what did not change: it has an
 * array of pointers, and storage of its own for the values that differ.  Only
 * bounds that an undecided axiom asks for are computed, and only where an
 * operand's changed.
 */
#include <assert.h>
#include <string.h>

#include "checker/exec/deductions/bounds_internal.h"

struct bounds_level *level_new(struct bounds *b) {
  struct bounds_level *level = ARENA_NEW(b->arena, struct bounds_level);
  for (int side = LOWER; side < SIDES; side++) level->value[side] = ARENA_ARRAY(b->arena, word *, b->active_count);
  level->own = ARENA_RAW(b->arena, word, (size_t)b->active_count * SIDES * b->words);
  return level;
}

struct bounds_level *bounds_push(struct bounds *b, struct bounds_level *parent) {
  if (!parent->next) parent->next = level_new(b);
  struct bounds_level *level = parent->next;
  for (int side = LOWER; side < SIDES; side++)
    memcpy(level->value[side], parent->value[side], b->active_count * sizeof *level->value[side]);
  return level;
}

/* A lower bound only grows: a closure is that of the parent's with what is new. */
static void level_closure(const struct bounds *b, const struct bounds_level *level, uint32_t i, word *out) {
  words_copy(b->words, out, level->value[LOWER][b->slot[i]]);
  rel_close_more(b->shape, out, bounds_value(b, level, b->ir->nodes[i].a, LOWER));
}

static bool is_closure(enum cat_op op) {
  return op == CAT_PLUS || op == CAT_STAR;
}

/* Recomputes one bound; true when it changed. */
static bool refresh(const struct bounds *b, struct bounds_level *level, uint32_t i, enum side side,
                    const struct partial *p) {
  const struct cat_node *node = &b->ir->nodes[i];
  if (node->op == CAT_CHOSEN) return false;
  if (node->op != CAT_BASE) {
    const bool *a = b->update.changed[operand_side(node->op, 0, side)];
    const bool *c = b->update.changed[operand_side(node->op, 1, side)];
    if (!a[node->a] && !(is_binary(node->op) && c[node->b])) return false;
  }
  if (side == LOWER && is_closure(node->op))
    level_closure(b, level, i, b->update.value);
  else
    level_node(b, level, i, side, p, b->update.value);
  word **value = &level->value[side][b->slot[i]];
  if (words_equal(bounds_words_of(b, i), *value, b->update.value)) return false;
  *value = level_own(b, level, i, side);
  words_copy(bounds_words_of(b, i), *value, b->update.value);
  return true;
}

static bool changed(const struct bounds *b, uint32_t node) {
  return b->update.changed[LOWER][node] || b->update.changed[UPPER][node];
}

/* Has anything changed that the group stands on? */
static bool group_moves(const struct bounds *b, uint32_t first) {
  uint32_t end = b->ir->nodes[first].group_end;
  for (uint32_t k = first; k < end; k++) {
    const struct cat_node *node = &b->ir->nodes[k];
    if (b->fixed[k] || b->slot[k] == NO_SLOT || node->op == CAT_REC) continue;
    if (node->op == CAT_BASE) return true;
    if (!is_nullary(node->op) && node->a < first && changed(b, node->a)) return true;
    if (is_binary(node->op) && node->b < first && changed(b, node->b)) return true;
  }
  return false;
}

/* A group as a whole: it has changed when what it stands on has. */
static void refresh_group(const struct bounds *b, struct bounds_level *level, uint32_t first, const struct partial *p) {
  bool moves = group_moves(b, first);
  for (int side = LOWER; side < SIDES; side++) {
    if (moves && b->need[side][first]) level_group(b, level, first, (enum side)side, p);
    for (uint32_t k = first; k < b->ir->nodes[first].group_end; k++) b->update.changed[side][k] = moves;
  }
}

/* Has the bound changed that a check looks at? */
static bool is_touched(const struct bounds *b, uint32_t c) {
  const struct cat_check *check = bounds_check(b, c);
  return b->update.changed[check->negated ? UPPER : LOWER][check->node];
}

static bool check_fails(const struct bounds *b, const struct bounds_level *level, uint32_t c) {
  const struct cat_check *check = bounds_check(b, c);
  const word *value = bounds_value(b, level, check->node, check->negated ? UPPER : LOWER);
  return bounds_holds_on(b, check, value) == check->negated;
}

const struct cat_check *bounds_failed(const struct bounds *b, const struct bounds_level *level, const word **value) {
  *value = b->root_value;
  if (b->root_failed) return b->root_failed;
  for (uint32_t c = 0; c < bounds_check_count(b); c++) {
    if (b->checks[c] != CHECK_OPEN || bounds_check(b, c)->role != ROLE_REQUIRE || !check_fails(b, level, c)) continue;
    *value = bounds_check(b, c)->negated ? NULL : bounds_value(b, level, bounds_check(b, c)->node, LOWER);
    return bounds_check(b, c);
  }
  return NULL;
}

/* The invariant, for assertions: of a node that has both, the lower bound lies within the upper. */
__attribute__((unused)) static bool level_check(const struct bounds *b, const struct bounds_level *level) {
  for (uint32_t k = 0; k < b->active_count; k++) {
    uint32_t i = b->active[k];
    if (b->prefix || !b->need[LOWER][i] || !b->need[UPPER][i]) continue;
    if (!words_within(bounds_words_of(b, i), level->value[LOWER][k], level->value[UPPER][k])) return false;
  }
  return true;
}

enum bounds_status bounds_update(struct bounds *b, struct bounds_level *level, const struct partial *p) {
  if (!b->search) return BOUNDS_OPEN;
  for (uint32_t k = 0; k < b->active_count; k++) {
    uint32_t i = b->active[k];
    if (b->ir->nodes[i].op == CAT_REC) {
      refresh_group(b, level, i, p);
      while (k + 1 < b->active_count && b->active[k + 1] < b->ir->nodes[i].group_end) k++;
      continue;
    }
    b->update.changed[LOWER][i] = b->need[LOWER][i] && refresh(b, level, i, LOWER, p);
    b->update.changed[UPPER][i] = b->need[UPPER][i] && refresh(b, level, i, UPPER, p);
  }
  assert(level_check(b, level));
  for (uint32_t c = 0; c < bounds_check_count(b); c++)
    if (b->checks[c] == CHECK_OPEN && bounds_check(b, c)->role == ROLE_REQUIRE && is_touched(b, c) &&
        check_fails(b, level, c))
      return BOUNDS_FAIL;
  return BOUNDS_OPEN;
}
