/* SPDX-License-Identifier: MIT */
/* Bounds of what a model defines by `let rec`: least fixpoints, of lower bounds and of upper ones. */
#include "checker/exec/deductions/bounds_internal.h"

static void words_fill(const struct bounds *b, uint32_t node, word *out) {
  if (b->ir->nodes[node].type == CAT_SET)
    set_fill(b->shape, out);
  else
    rel_fill(b->shape, out);
}

/* Within the group values are written to the level's own storage. */
void level_group(const struct bounds *b, struct bounds_level *level, uint32_t i, enum side side,
                 const struct partial *p) {
  const struct cat_node *nodes = b->ir->nodes;
  uint32_t end = nodes[i].group_end;
  word **values = level->value[side];
  for (uint32_t k = i; k < end; k++) {
    if (b->fixed[k] || !b->plan->needed[k] || b->slot[k] == NO_SLOT) continue;
    values[b->slot[k]] = level_own(b, level, k, side);
    words_clear(bounds_words_of(b, k), values[b->slot[k]]);
  }
  if (b->plan->late[i]) { /* nothing is known before the end */
    for (uint32_t k = i; side == UPPER && k < end; k++)
      if (!b->fixed[k] && b->plan->needed[k] && b->slot[k] != NO_SLOT) words_fill(b, k, values[b->slot[k]]);
    return;
  }
  bool grows = nodes[i].grows; /* and all that it stands on is fixed: its bounds are one */
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t k = i; k < end; k++) {
      if (b->fixed[k] || !b->plan->needed[k] || b->slot[k] == NO_SLOT) continue;
      word *value = values[b->slot[k]];
      if (nodes[k].op == CAT_REC)
        words_copy(bounds_words_of(b, k), b->update.value, bounds_value(b, level, nodes[k].a, side));
      else if (grows)
        node_apply_in(b->shape, b->ir, k, b->update.value,
                      is_nullary(nodes[k].op) ? NULL : bounds_value(b, level, nodes[k].a, side),
                      is_binary(nodes[k].op) ? bounds_value(b, level, nodes[k].b, side) : NULL);
      else
        level_node(b, level, k, side, p, b->update.value);
      grew |= !words_equal(bounds_words_of(b, k), value, b->update.value);
      words_copy(bounds_words_of(b, k), value, b->update.value);
    }
  }
}
