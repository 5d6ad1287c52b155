/* SPDX-License-Identifier: MIT */
/* One bound of one node, from those of its operands. */
#include "checker/exec/deductions/bounds_internal.h"

void level_base(const struct bounds *b, enum cat_base base, const struct partial *p, enum side side, word *out) {
  struct shape s = b->shape;
  word *const *chosen = side == UPPER ? p->up : p->lo;
  enum choice choice = plan_choice(base);
  if (choice < CHOICES) {
    words_copy(b->words, out, chosen[choice]);
    return;
  }
  switch (base) {
    case BASE_FR:
      rel_compose_inverse(s, out, chosen[CHOICE_RF], chosen[CHOICE_CO], NULL);
      for (unsigned a = 0; a < s.n; a++) rel_drop(s, out, a, a);
      break;
    case BASE_SAME_VALUE: /* values are known in the end */
      if (side == UPPER)
        rel_fill(s, out);
      else
        words_clear(b->words, out);
      break;
    default: /* FW: final for sure when nothing can follow, possibly when nothing does */
      words_clear(s.w, out);
      for (unsigned a = 0; a < s.n; a++)
        if (b->structure->events[a].kind == EVENT_WRITE &&
            words_empty(s.w, rel_row_const(s, side == UPPER ? p->lo[CHOICE_CO] : p->up[CHOICE_CO], a)))
          set_add(out, a);
  }
}

void level_node(const struct bounds *b, const struct bounds_level *level, uint32_t i, enum side side,
                const struct partial *p, word *out) {
  const struct cat_node *node = &b->ir->nodes[i];
  if (node->op == CAT_BASE) {
    level_base(b, node->base, p, side, out);
    return;
  }
  if (node->op == CAT_CHOSEN && side == UPPER) {
    rel_fill(b->shape, out);
    return;
  }
  const word *x = is_nullary(node->op) ? NULL : bounds_value(b, level, node->a, operand_side(node->op, 0, side));
  const word *y = is_binary(node->op) ? bounds_value(b, level, node->b, operand_side(node->op, 1, side)) : NULL;
  node_apply_in(b->shape, b->ir, i, out, x, y);
  if (side == UPPER && b->plan->within_co[i] && (node->op == CAT_SEQ || node->op == CAT_PLUS))
    words_and(b->words, out, out, p->up[CHOICE_CO]);
}

word *level_own(const struct bounds *b, const struct bounds_level *level, uint32_t node, enum side side) {
  return level->own + ((size_t)b->slot[node] * SIDES + side) * b->words;
}
