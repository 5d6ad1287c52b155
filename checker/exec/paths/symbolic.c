/* SPDX-License-Identifier: MIT */
/* Expressions over reads, built bottom up: each operation is simplified when it is made. Litmus tests make dependencies
 * that change nothing by what the laws do away with (`x = (r ^ r) + 1`); the dependency stays in addr, data and ctrl,
 * but no value depends on the read, so that a cycle of reads through it is none of values.
 */
#include "checker/exec/paths/symbolic.h"

#include "checker/program/simplify.h"

static bool is_constant(const struct expr *e, int64_t value) {
  return e && e->kind == EXPR_CONST && e->value == value;
}

/* Of a truth value: what it is the negation of, perhaps of that again; *negated says which. */
static const struct expr *strip_negations(const struct expr *e, bool *negated) {
  *negated = false;
  for (;;) {
    bool compares = e->kind == EXPR_EQ || e->kind == EXPR_NE, zero = compares && is_constant(e->b, 0);
    bool one = compares && is_constant(e->b, 1) && expr_is_truth(e->a->kind);
    if (!zero && !one && e->kind != EXPR_LNOT) return e;
    *negated ^= e->kind == EXPR_LNOT || zero == (e->kind == EXPR_EQ);
    e = e->a;
  }
}

bool symbolic_settles(const struct expr *known, bool nonzero, const struct expr *e, bool *result) {
  bool known_negated, negated;
  known = strip_negations(known, &known_negated);
  e = strip_negations(e, &negated);
  bool opposite = (known->kind == EXPR_EQ && e->kind == EXPR_NE) || (known->kind == EXPR_NE && e->kind == EXPR_EQ);
  if (opposite ? !expr_same(known->a, e->a) || !expr_same(known->b, e->b) : !expr_same(known, e)) return false;
  *result = nonzero ^ known_negated ^ negated ^ opposite;
  return true;
}

bool symbolic_pins(const struct expr *known, const struct expr *e, int64_t *value) {
  if (known->kind != EXPR_EQ || known->b->kind != EXPR_CONST || !expr_same(known->a, e)) return false;
  *value = known->b->value;
  return true;
}

const struct expr *symbolic_apply(struct arena *arena, enum expr_kind kind, const struct expr *a, const struct expr *b,
                                  const struct expr *c) {
  bool known = a->kind == EXPR_CONST && (!b || b->kind == EXPR_CONST) && (!c || c->kind == EXPR_CONST);
  if (known) return expr_constant(arena, expr_apply(kind, a->value, b ? b->value : 0, c ? c->value : 0, NULL));
  const struct expr *simple = expr_simplify(arena, kind, a, b, c);
  return simple ? simple : expr_new(arena, kind, a, b, c);
}

const struct expr *symbolic_substitute(struct arena *arena, const struct expr *e, const struct expr *const *registers) {
  if (e->kind == EXPR_CONST) return e;
  if (e->kind == EXPR_REG) return registers[e->reg];
  const struct expr *a = symbolic_substitute(arena, e->a, registers);
  const struct expr *b = e->b ? symbolic_substitute(arena, e->b, registers) : NULL;
  const struct expr *c = e->c ? symbolic_substitute(arena, e->c, registers) : NULL;
  return symbolic_apply(arena, e->kind, a, b, c);
}
