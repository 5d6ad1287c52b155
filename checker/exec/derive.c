/* SPDX-License-Identifier: MIT */
/* Derivatives: which single pair, added to rf or co now, would break an axiom?
 *
 * Reverse-mode differentiation of the model's graph over the boolean algebra of
 * relations: starting from "which pair added to the checked node breaks the
 * axiom", each operation passes on "which pair added to my operand adds such a
 * pair to me".  One backward pass answers for all pairs.
 */
#include <string.h>

#include "checker/exec/bounds_parts.h"

static word *derivative_of(struct bounds *b, uint32_t node) {
  if (!b->derive.of[node]) {
    b->derive.of[node] = b->derive.store + (size_t)b->slot[node] * b->words;
    words_clear(bounds_words_of(b, node), b->derive.of[node]);
  }
  return b->derive.of[node];
}

/* Can pairs be added to this node by adding to rf or co? */
static bool derivable(const struct bounds *b, uint32_t node) {
  return !b->fixed[node] && b->slot[node] != NO_SLOT && b->need[LOWER][node];
}

static void add_derivative(struct bounds *b, uint32_t node, const word *value) {
  word *d = derivative_of(b, node);
  words_or(bounds_words_of(b, node), d, d, value);
}

/* out := inverse(a?) ; d ; inverse(a?). */
static void derive_around(struct bounds *b, const word *a, const word *d, word *out) {
  rel_compose_inverse(b->shape, b->derive.product, a, d);
  words_or(b->words, b->derive.product, b->derive.product, d);
  rel_inverse(b->shape, b->derive.inverse, a);
  rel_compose(b->shape, out, b->derive.product, b->derive.inverse);
  words_or(b->words, out, out, b->derive.product);
}

/* The inverse of a node's value; kept for constants. */
static const word *inverse_of(struct bounds *b, const struct level *level, uint32_t node) {
  if (!b->fixed[node]) {
    rel_inverse(b->shape, b->derive.inverse, bounds_value(b, level, node, LOWER));
    return b->derive.inverse;
  }
  if (!b->derive.inverse_of[node]) {
    b->derive.inverse_of[node] = ARENA_ARRAY(b->arena, word, b->words);
    rel_inverse(b->shape, b->derive.inverse_of[node], b->fixed[node]);
  }
  return b->derive.inverse_of[node];
}

static void derive_sequence(struct bounds *b, const struct level *level, const struct cat_node *node, const word *d) {
  struct shape s = b->shape;
  const struct cat_node *nodes = b->ir->nodes;
  if (derivable(b, node->a)) {
    if (nodes[node->b].op == CAT_TOID)
      rel_keep_columns(s, b->derive.product, d, bounds_value(b, level, nodes[node->b].a, LOWER));
    else
      rel_compose(s, b->derive.product, d, inverse_of(b, level, node->b));
    add_derivative(b, node->a, b->derive.product);
  }
  if (derivable(b, node->b)) {
    if (nodes[node->a].op == CAT_TOID)
      rel_keep_rows(s, b->derive.product, bounds_value(b, level, nodes[node->a].a, LOWER), d);
    else
      rel_compose_inverse(s, b->derive.product, bounds_value(b, level, node->a, LOWER), d);
    add_derivative(b, node->b, b->derive.product);
  }
}

static void derive_cross(struct bounds *b, const struct level *level, const struct cat_node *node, const word *d) {
  struct shape s = b->shape;
  const word *from = bounds_value(b, level, node->a, LOWER), *to = bounds_value(b, level, node->b, LOWER);
  for (unsigned a = 0; a < s.n; a++) {
    if (derivable(b, node->a) && words_meet(s.w, rel_row_const(s, d, a), to)) set_add(derivative_of(b, node->a), a);
    if (derivable(b, node->b) && set_has(from, a))
      words_or(s.w, derivative_of(b, node->b), derivative_of(b, node->b), rel_row_const(s, d, a));
  }
}

static void derive_ends(struct bounds *b, const struct cat_node *node, const word *d) {
  struct shape s = b->shape;
  word all[s.w];
  set_fill(s, all);
  if (node->op == CAT_DOMAIN)
    rel_cross(s, b->derive.product, d, all);
  else
    rel_cross(s, b->derive.product, all, d);
  add_derivative(b, node->a, b->derive.product);
}

/* Passes what breaks node i on to its operands. */
static void derive_node(struct bounds *b, const struct level *level, uint32_t i, const word *d) {
  struct shape s = b->shape;
  const struct cat_node *node = &b->ir->nodes[i];
  size_t words = bounds_words_of(b, i);
  switch (node->op) {
    case CAT_UNION:
      if (derivable(b, node->a)) add_derivative(b, node->a, d);
      if (derivable(b, node->b)) add_derivative(b, node->b, d);
      break;
    case CAT_INTER:
      if (derivable(b, node->a)) {
        words_and(words, b->derive.product, d, bounds_value(b, level, node->b, LOWER));
        add_derivative(b, node->a, b->derive.product);
      }
      if (derivable(b, node->b)) {
        words_and(words, b->derive.product, d, bounds_value(b, level, node->a, LOWER));
        add_derivative(b, node->b, b->derive.product);
      }
      break;
    case CAT_DIFF:
      if (!derivable(b, node->a)) break;
      words_minus(words, b->derive.product, d, bounds_value(b, level, node->b, UPPER));
      add_derivative(b, node->a, b->derive.product);
      break;
    case CAT_SEQ:
      derive_sequence(b, level, node, d);
      break;
    case CAT_CROSS:
      derive_cross(b, level, node, d);
      break;
    case CAT_INVERSE:
      if (!derivable(b, node->a)) break;
      rel_inverse(s, b->derive.product, d);
      add_derivative(b, node->a, b->derive.product);
      break;
    case CAT_PLUS:
    case CAT_STAR:
      if (!derivable(b, node->a)) break;
      derive_around(b, bounds_value(b, level, i, LOWER), d, b->derive.around);
      add_derivative(b, node->a, b->derive.around);
      break;
    case CAT_OPT:
      if (derivable(b, node->a)) add_derivative(b, node->a, d);
      break;
    case CAT_TOID:
      if (!derivable(b, node->a)) break;
      for (unsigned a = 0; a < s.n; a++)
        if (rel_has(s, d, a, a)) set_add(derivative_of(b, node->a), a);
      break;
    case CAT_DOMAIN:
    case CAT_RANGE:
      if (derivable(b, node->a)) derive_ends(b, node, d);
      break;
    default:
      break; /* constants, complements, recursion: nothing is deduced */
  }
}

/* Which pair added to a check's node makes it fail? */
static void derive_check(struct bounds *b, const struct level *level, const struct cat_check *check) {
  struct shape s = b->shape;
  if (check->negated || !derivable(b, check->node)) return;
  if (check->kind == CHECK_EMPTY) {
    if (b->ir->nodes[check->node].type == CAT_SET)
      set_fill(s, b->derive.product);
    else
      rel_fill(s, b->derive.product);
  } else if (check->kind == CHECK_IRREFLEXIVE) {
    rel_identity(s, b->derive.product);
  } else {
    words_copy(b->words, b->derive.around, bounds_value(b, level, check->node, LOWER));
    rel_close(s, b->derive.around);
    rel_reflexive(s, b->derive.around);
    rel_inverse(s, b->derive.product, b->derive.around);
  }
  add_derivative(b, check->node, b->derive.product);
}

/* fr = (rf^-1 ; co) \ id. */
static void derive_from_read(struct bounds *b, const struct partial *p, word *d, word *rf, word *co) {
  struct shape s = b->shape;
  for (unsigned a = 0; a < s.n; a++) rel_drop(s, d, a, a);
  rel_compose(s, b->derive.product, p->rf_lo, d);
  words_or(b->words, co, co, b->derive.product);
  rel_inverse(s, b->derive.inverse, d);
  rel_compose(s, b->derive.product, p->co_lo, b->derive.inverse);
  words_or(b->words, rf, rf, b->derive.product);
}

void level_derive(struct bounds *b, struct level *level, const struct partial *p, word *rf, word *co) {
  words_clear(b->words, rf);
  words_clear(b->words, co);
  if (!b->search) return;
  memset(b->derive.of, 0, b->ir->node_count * sizeof *b->derive.of);
  for (uint32_t c = 0; c < b->ir->check_count; c++)
    if (b->checks[c] == CHECK_OPEN && b->ir->checks[c].role == ROLE_REQUIRE) derive_check(b, level, &b->ir->checks[c]);
  for (uint32_t k = b->active_count; k-- > 0;) {
    uint32_t i = b->active[k];
    word *d = b->derive.of[i];
    if (!d) continue;
    if (b->ir->nodes[i].op != CAT_BASE) {
      derive_node(b, level, i, d);
    } else if (b->ir->nodes[i].base == BASE_RF) {
      words_or(b->words, rf, rf, d);
    } else if (b->ir->nodes[i].base == BASE_CO) {
      words_or(b->words, co, co, d);
    } else if (b->ir->nodes[i].base == BASE_FR) {
      derive_from_read(b, p, d, rf, co);
    }
  }
  /* A pair added to co brings with it what transitivity makes of it. */
  derive_around(b, p->co_lo, co, b->derive.around);
  words_copy(b->words, co, b->derive.around);
}
