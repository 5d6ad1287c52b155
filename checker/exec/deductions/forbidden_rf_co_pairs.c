/* SPDX-License-Identifier: MIT */
/* Derivatives: which single pair, added to rf or co now, would break an axiom,
 * and which one would by being ruled out?
 *
 * Reverse-mode differentiation of the model's graph over the boolean algebra of
 * relations: starting from "which pair added to the checked node breaks the
 * axiom", each operation passes on "which pair added to my operand adds such a
 * pair to me".  One backward pass answers for all pairs.  Through complements
 * and right sides of differences the question becomes which pair, taken from
 * the operand's upper bound, does; that one goes through fewer operations.
 */
#include <string.h>

#include "checker/exec/deductions/bounds_internal.h"

static const struct gain *gain_of(const struct bounds *b, uint32_t node) {
  return &b->derive.gain[b->slot[node]];
}

/* Can this bound of the node move, by a pair that is open? */
static bool derivable(const struct bounds *b, uint32_t node, enum side side) {
  if (b->fixed[node] || b->slot[node] == NO_SLOT || !b->need[side][node]) return false;
  return side == UPPER || !words_empty(b->shape.w, gain_of(b, node)->rows);
}

/* ---- Where lower bounds may gain ------------------------------------------------ */

static void add_gain(const struct bounds *b, const struct gain *to, const word *rows, const word *columns) {
  words_or(b->shape.w, to->rows, to->rows, rows);
  words_or(b->shape.w, to->columns, to->columns, columns);
}

/* An operand's gain is the node's. */
static void pass_gain(const struct bounds *b, const struct gain *to, uint32_t operand) {
  if (derivable(b, operand, LOWER)) add_gain(b, to, gain_of(b, operand)->rows, gain_of(b, operand)->columns);
}

/* What an upper bound may lose is not looked at. */
static void gain_all(const struct bounds *b, const struct gain *to, uint32_t operand) {
  if (!derivable(b, operand, UPPER)) return;
  set_fill(b->shape, to->rows);
  set_fill(b->shape, to->columns);
}

/* fr = rf^-1 ; co. */
static void gain_from_reads(const struct bounds *b, const struct partial *p, const struct gain *to) {
  const struct gain *rf = &b->derive.open[CHOICE_RF], *co = &b->derive.open[CHOICE_CO];
  add_gain(b, to, rf->columns, co->columns);
  rel_image(b->shape, to->rows, co->rows, p->lo[CHOICE_RF]);
  rel_image(b->shape, to->columns, rf->rows, p->lo[CHOICE_CO]);
}

static void gain_of_sequence(const struct bounds *b, const struct bounds_level *level, const struct cat_node *node,
                             const struct gain *to) {
  struct shape s = b->shape;
  word end[s.w];
  if (derivable(b, node->a, LOWER)) {
    words_clear(s.w, end);
    rel_image(s, end, gain_of(b, node->a)->columns, bounds_value(b, level, node->b, LOWER));
    if (!words_empty(s.w, end)) add_gain(b, to, gain_of(b, node->a)->rows, end);
  }
  if (derivable(b, node->b, LOWER)) {
    words_clear(s.w, end);
    rel_preimage(s, end, bounds_value(b, level, node->a, LOWER), gain_of(b, node->b)->rows);
    if (!words_empty(s.w, end)) add_gain(b, to, end, gain_of(b, node->b)->columns);
  }
}

static void gain_of_closure(const struct bounds *b, const word *closure, uint32_t operand, const struct gain *to) {
  if (!derivable(b, operand, LOWER)) return;
  pass_gain(b, to, operand);
  rel_preimage(b->shape, to->rows, closure, gain_of(b, operand)->rows);
  rel_image(b->shape, to->columns, gain_of(b, operand)->columns, closure);
}

static void gain_of_cross(const struct bounds *b, const struct bounds_level *level, const struct cat_node *node,
                          const struct gain *to) {
  if (derivable(b, node->a, LOWER)) add_gain(b, to, gain_of(b, node->a)->rows, bounds_value(b, level, node->b, LOWER));
  if (derivable(b, node->b, LOWER)) add_gain(b, to, bounds_value(b, level, node->a, LOWER), gain_of(b, node->b)->rows);
}

static void gain_of_base(const struct bounds *b, enum cat_base base, const struct partial *p, const struct gain *to) {
  enum choice choice = plan_choice(base);
  if (choice < CHOICES)
    add_gain(b, to, b->derive.open[choice].rows, b->derive.open[choice].columns);
  else if (base == BASE_FR)
    gain_from_reads(b, p, to);
}

/* As what is derived for the node is passed on to its operands. */
static void find_gain(const struct bounds *b, const struct bounds_level *level, uint32_t i, const struct partial *p) {
  const struct cat_node *node = &b->ir->nodes[i];
  bool moves = !is_nullary(node->op) && derivable(b, node->a, LOWER);
  const struct gain *to = gain_of(b, i), *of = moves ? gain_of(b, node->a) : to;
  words_clear(b->shape.w, to->rows);
  words_clear(b->shape.w, to->columns);
  switch (node->op) {
    case CAT_BASE:
      gain_of_base(b, node->base, p, to);
      break;
    case CAT_UNION:
    case CAT_INTER:
      pass_gain(b, to, node->a);
      pass_gain(b, to, node->b);
      break;
    case CAT_DIFF:
      pass_gain(b, to, node->a);
      gain_all(b, to, node->b);
      break;
    case CAT_COMPL:
      gain_all(b, to, node->a);
      break;
    case CAT_SEQ:
      gain_of_sequence(b, level, node, to);
      break;
    case CAT_CROSS:
      gain_of_cross(b, level, node, to);
      break;
    case CAT_INVERSE:
      if (moves) add_gain(b, to, of->columns, of->rows);
      break;
    case CAT_PLUS:
    case CAT_STAR:
      gain_of_closure(b, bounds_value(b, level, i, LOWER), node->a, to);
      break;
    case CAT_OPT:
    case CAT_TOID:
      pass_gain(b, to, node->a);
      break;
    case CAT_DOMAIN:
      if (moves) add_gain(b, to, of->rows, of->rows);
      break;
    case CAT_RANGE:
      if (moves) add_gain(b, to, of->columns, of->columns);
      break;
    default:
      break;
  }
}

static void find_gains(const struct bounds *b, const struct bounds_level *level, const struct partial *p) {
  for (int c = 0; c < CHOICES; c++)
    if (p->lo[c]) rel_new_ends(b->shape, b->derive.open[c].rows, b->derive.open[c].columns, p->up[c], p->lo[c]);
  for (uint32_t k = 0; k < b->active_count; k++)
    if (b->need[LOWER][b->active[k]]) find_gain(b, level, b->active[k], p);
}

/* ---- What is derived, by node ---------------------------------------------------- */

static word *derivative_of(struct bounds *b, uint32_t node, enum side side) {
  word **of = &b->derive.of[side][node];
  if (!*of) {
    *of = b->derive.store[side] + (size_t)b->slot[node] * b->words;
    words_clear(bounds_words_of(b, node), *of);
  }
  return *of;
}

/* Of a node that is derivable, where it may gain. */
static void add_derivative(struct bounds *b, uint32_t node, enum side side, const word *value) {
  word *d = derivative_of(b, node, side);
  if (side == UPPER || b->ir->nodes[node].type == CAT_SET)
    words_or(bounds_words_of(b, node), d, d, value);
  else
    rel_add_columns(b->shape, d, value, gain_of(b, node)->columns);
}

static void pass_on(struct bounds *b, uint32_t node, enum side side, const word *value) {
  if (derivable(b, node, side)) add_derivative(b, node, side, value);
}

/* out := inverse(a?) ; d ; inverse(a?), where it is to be. */
static void derive_around(struct bounds *b, const word *a, const word *d, const struct gain *where, word *out) {
  rel_compose_inverse(b->shape, b->derive.product, a, d, where->rows);
  words_or(b->words, b->derive.product, b->derive.product, d);
  rel_compose_with_inverse(b->shape, out, b->derive.product, a, where->columns);
  words_or(b->words, out, out, b->derive.product);
}

/* ---- Pairs added to a lower bound ---------------------------------------------- */

static void derive_sequence(struct bounds *b, const struct bounds_level *level, const struct cat_node *node,
                            const word *d) {
  struct shape s = b->shape;
  const struct cat_node *nodes = b->ir->nodes;
  if (derivable(b, node->a, LOWER)) {
    if (nodes[node->b].op == CAT_TOID)
      rel_keep_columns(s, b->derive.product, d, bounds_value(b, level, nodes[node->b].a, LOWER));
    else
      rel_compose_with_inverse(s, b->derive.product, d, bounds_value(b, level, node->b, LOWER),
                               gain_of(b, node->a)->columns);
    add_derivative(b, node->a, LOWER, b->derive.product);
  }
  if (derivable(b, node->b, LOWER)) {
    if (nodes[node->a].op == CAT_TOID)
      rel_keep_rows(s, b->derive.product, bounds_value(b, level, nodes[node->a].a, LOWER), d);
    else
      rel_compose_inverse(s, b->derive.product, bounds_value(b, level, node->a, LOWER), d, gain_of(b, node->b)->rows);
    add_derivative(b, node->b, LOWER, b->derive.product);
  }
}

static void derive_cross(struct bounds *b, const struct bounds_level *level, const struct cat_node *node,
                         const word *d) {
  struct shape s = b->shape;
  const word *from = bounds_value(b, level, node->a, LOWER), *to = bounds_value(b, level, node->b, LOWER);
  bool left = derivable(b, node->a, LOWER), right = derivable(b, node->b, LOWER);
  for (unsigned a = 0; a < s.n; a++) {
    if (left && words_meet(s.w, rel_row_const(s, d, a), to)) set_add(derivative_of(b, node->a, LOWER), a);
    if (!right || !set_has(from, a)) continue;
    word *set = derivative_of(b, node->b, LOWER);
    words_or(s.w, set, set, rel_row_const(s, d, a));
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
  add_derivative(b, node->a, LOWER, b->derive.product);
}

static void derive_difference(struct bounds *b, const struct bounds_level *level, const struct cat_node *node,
                              const word *d, size_t words) {
  if (derivable(b, node->a, LOWER)) {
    words_minus(words, b->derive.product, d, bounds_value(b, level, node->b, UPPER));
    add_derivative(b, node->a, LOWER, b->derive.product);
  }
  if (derivable(b, node->b, UPPER)) {
    words_and(words, b->derive.product, d, bounds_value(b, level, node->a, LOWER));
    add_derivative(b, node->b, UPPER, b->derive.product);
  }
}

/* One side of an intersection: what is added to it counts where the other has it. */
static void derive_beside(struct bounds *b, const struct bounds_level *level, uint32_t node, uint32_t other,
                          const word *d) {
  size_t words = bounds_words_of(b, node);
  if (!derivable(b, node, LOWER)) return;
  words_and(words, b->derive.product, d, bounds_value(b, level, other, LOWER));
  add_derivative(b, node, LOWER, b->derive.product);
}

/* Passes what breaks node i when it is added on to its operands. */
static void derive_added(struct bounds *b, const struct bounds_level *level, uint32_t i, const word *d) {
  struct shape s = b->shape;
  const struct cat_node *node = &b->ir->nodes[i];
  switch (node->op) {
    case CAT_UNION:
      pass_on(b, node->a, LOWER, d);
      pass_on(b, node->b, LOWER, d);
      break;
    case CAT_INTER:
      derive_beside(b, level, node->a, node->b, d);
      derive_beside(b, level, node->b, node->a, d);
      break;
    case CAT_DIFF:
      derive_difference(b, level, node, d, bounds_words_of(b, i));
      break;
    case CAT_COMPL:
      pass_on(b, node->a, UPPER, d);
      break;
    case CAT_SEQ:
      derive_sequence(b, level, node, d);
      break;
    case CAT_CROSS:
      derive_cross(b, level, node, d);
      break;
    case CAT_INVERSE:
      rel_inverse(s, b->derive.product, d);
      pass_on(b, node->a, LOWER, b->derive.product);
      break;
    case CAT_PLUS:
    case CAT_STAR:
      if (!derivable(b, node->a, LOWER)) break;
      derive_around(b, bounds_value(b, level, i, LOWER), d, gain_of(b, node->a), b->derive.around);
      add_derivative(b, node->a, LOWER, b->derive.around);
      break;
    case CAT_OPT:
      pass_on(b, node->a, LOWER, d);
      break;
    case CAT_TOID:
      if (!derivable(b, node->a, LOWER)) break;
      for (unsigned a = 0; a < s.n; a++)
        if (rel_has(s, d, a, a)) set_add(derivative_of(b, node->a, LOWER), a);
      break;
    case CAT_DOMAIN:
    case CAT_RANGE:
      if (derivable(b, node->a, LOWER)) derive_ends(b, node, d);
      break;
    default:
      break; /* constants and recursion: nothing is deduced */
  }
}

/* ---- Pairs taken from an upper bound --------------------------------------------- */

/* Passes what breaks node i when it is ruled out on to its operands: only where
 * ruling the pair out there rules it out here for certain. */
static void derive_removed(struct bounds *b, const struct bounds_level *level, uint32_t i, const word *d, word *co) {
  const struct cat_node *node = &b->ir->nodes[i];
  size_t words = bounds_words_of(b, i);
  if (b->plan->within_co[i] && co) words_or(words, co, co, d);
  switch (node->op) {
    case CAT_UNION:
      for (unsigned k = 0; k < 2; k++) {
        uint32_t operand = k ? node->b : node->a, other = k ? node->a : node->b;
        if (!derivable(b, operand, UPPER)) continue;
        words_minus(words, b->derive.product, d, bounds_value(b, level, other, UPPER));
        add_derivative(b, operand, UPPER, b->derive.product);
      }
      break;
    case CAT_INTER:
      pass_on(b, node->a, UPPER, d);
      pass_on(b, node->b, UPPER, d);
      break;
    case CAT_DIFF:
      pass_on(b, node->a, UPPER, d);
      pass_on(b, node->b, LOWER, d);
      break;
    case CAT_COMPL:
      pass_on(b, node->a, LOWER, d);
      break;
    case CAT_INVERSE:
      rel_inverse(b->shape, b->derive.product, d);
      pass_on(b, node->a, UPPER, b->derive.product);
      break;
    default:
      break; /* there may be another way to the pair */
  }
}

/* ---- Checks and choices ------------------------------------------------------------- */

/* A pair makes a cycle if its end leads to its beginning. */
static void derive_acyclic(struct bounds *b, const word *value, const struct gain *gain) {
  struct shape s = b->shape;
  word reached[s.w], last[s.w], next[s.w];
  words_clear(b->words, b->derive.product);
  SET_EACH (end, s.w, gain->columns) {
    words_clear(s.w, reached);
    set_add(reached, end);
    words_copy(s.w, last, reached);
    while (!words_empty(s.w, last)) {
      words_clear(s.w, next);
      rel_image(s, next, last, value);
      words_minus(s.w, last, next, reached);
      words_or(s.w, reached, reached, next);
    }
    words_and(s.w, reached, reached, gain->rows);
    SET_EACH (begin, s.w, reached) rel_add(s, b->derive.product, begin, end);
  }
}

/* Which pair added to a check's node makes it fail? */
static void derive_check(struct bounds *b, const struct bounds_level *level, const struct cat_check *check) {
  struct shape s = b->shape;
  if (check->negated || !derivable(b, check->node, LOWER)) return;
  if (check->kind == CHECK_EMPTY) {
    if (b->ir->nodes[check->node].type == CAT_SET)
      set_fill(s, b->derive.product);
    else
      rel_fill(s, b->derive.product);
  } else if (check->kind == CHECK_IRREFLEXIVE) {
    rel_identity(s, b->derive.product);
  } else {
    derive_acyclic(b, bounds_value(b, level, check->node, LOWER), gain_of(b, check->node));
  }
  add_derivative(b, check->node, LOWER, b->derive.product);
}

/* fr = (rf^-1 ; co) \ id. */
static void derive_from_read(struct bounds *b, const struct partial *p, word *d, const struct choice_pairs *out) {
  struct shape s = b->shape;
  word *rf = out->of[CHOICE_RF], *co = out->of[CHOICE_CO];
  for (unsigned a = 0; a < s.n; a++) rel_drop(s, d, a, a);
  rel_compose(s, b->derive.product, p->lo[CHOICE_RF], d);
  words_or(b->words, co, co, b->derive.product);
  rel_compose_with_inverse(s, b->derive.product, p->lo[CHOICE_CO], d, b->derive.open[CHOICE_RF].columns);
  words_or(b->words, rf, rf, b->derive.product);
}

static void derive_base(struct bounds *b, const struct partial *p, uint32_t i, enum side side, word *d,
                        const struct choice_pairs *out) {
  enum cat_base base = b->ir->nodes[i].base;
  enum choice choice = plan_choice(base);
  if (choice < CHOICES)
    words_or(b->words, out->of[choice], out->of[choice], d);
  else if (base == BASE_FR && side == LOWER)
    derive_from_read(b, p, d, out);
}

static void start_pass(struct bounds *b, const struct choice_pairs *pairs) {
  for (int c = 0; c < CHOICES; c++)
    if (pairs->of[c]) words_clear(b->words, pairs->of[c]);
}

void bounds_derive(struct bounds *b, struct bounds_level *level, const struct partial *p,
                   const struct choice_pairs *forbidden, const struct choice_pairs *required) {
  start_pass(b, forbidden);
  start_pass(b, required);
  if (!b->search) return;
  find_gains(b, level, p);
  for (int side = LOWER; side < SIDES; side++)
    memset(b->derive.of[side], 0, b->ir->node_count * sizeof *b->derive.of[side]);
  for (uint32_t c = 0; c < bounds_check_count(b); c++)
    if (b->checks[c] == CHECK_OPEN && bounds_check(b, c)->role == ROLE_REQUIRE)
      derive_check(b, level, bounds_check(b, c));
  for (uint32_t k = b->active_count; k-- > 0;) {
    uint32_t i = b->active[k];
    bool base = b->ir->nodes[i].op == CAT_BASE;
    word *added = b->derive.of[LOWER][i], *removed = b->derive.of[UPPER][i];
    if (added && base) derive_base(b, p, i, LOWER, added, forbidden);
    if (added && !base) derive_added(b, level, i, added);
    if (removed && base) derive_base(b, p, i, UPPER, removed, required);
    if (removed && !base) derive_removed(b, level, i, removed, required->of[CHOICE_CO]);
  }
  /* A pair added to co, if any can be, brings with it what transitivity makes of it. */
  word *co = forbidden->of[CHOICE_CO];
  if (words_equal(b->words, p->lo[CHOICE_CO], p->up[CHOICE_CO])) return;
  derive_around(b, p->lo[CHOICE_CO], co, &b->derive.open[CHOICE_CO], b->derive.around);
  words_copy(b->words, co, b->derive.around);
}
