/* SPDX-License-Identifier: MIT */
/* Operations on scalars: carried out where all is known, else an expression over registers. */
#include "checker/program/simplify.h"
#include "checker/spirv/kernel_internal.h"

struct scalar scalar_known(int64_t value) {
  return (struct scalar){.kind = SCALAR_KNOWN, .value = value};
}

const struct expr *scalar_expr(struct arena *arena, struct scalar scalar) {
  if (scalar.kind == SCALAR_HELD) return scalar.expr;
  return expr_constant(arena, scalar.value);
}

static struct scalar held(struct arena *arena, enum expr_kind kind, const struct expr *a, const struct expr *b,
                          const struct expr *c) {
  const struct expr *simple = expr_simplify(arena, kind, a, b, c);
  if (simple && simple->kind == EXPR_CONST) return scalar_known(simple->value);
  return (struct scalar){.kind = SCALAR_HELD, .expr = simple ? simple : expr_new(arena, kind, a, b, c)};
}

/* A division by zero stays for the engine to report. */
struct scalar scalar_apply(struct arena *arena, enum expr_kind kind, struct scalar a, struct scalar b) {
  if (a.kind == SCALAR_KNOWN && b.kind == SCALAR_KNOWN) {
    bool undefined = false;
    int64_t value = expr_apply(kind, a.value, b.value, 0, &undefined);
    if (!undefined) return scalar_known(value);
  }
  return held(arena, kind, scalar_expr(arena, a), expr_arity(kind) == 1 ? NULL : scalar_expr(arena, b), NULL);
}

struct scalar scalar_choose(struct arena *arena, struct scalar condition, struct scalar a, struct scalar b) {
  if (condition.kind == SCALAR_KNOWN) return condition.value ? a : b;
  if (scalar_same(a, b)) return a;
  struct scalar chosen =
      held(arena, EXPR_COND, scalar_expr(arena, condition), scalar_expr(arena, a), scalar_expr(arena, b));
  if (a.object == b.object) chosen.object = a.object;
  if (scalar_reach_same(a, b)) chosen.reach = a.reach;
  return chosen;
}

struct scalar scalar_fit(struct arena *arena, unsigned bits, struct scalar a) {
  if (bits >= 64 || !bits) return a;
  if (bits == 1) return scalar_apply(arena, EXPR_NE, a, scalar_known(0));
  if (a.kind == SCALAR_KNOWN) return scalar_known(width_fit((struct width){.bits = bits, .is_signed = true}, a.value));
  struct scalar shift = scalar_known(64 - (int64_t)bits);
  return scalar_apply(arena, EXPR_SHR, scalar_apply(arena, EXPR_SHL, a, shift), shift);
}

struct scalar scalar_unsigned(struct arena *arena, unsigned bits, struct scalar a) {
  if (bits >= 64) return a;
  return scalar_apply(arena, EXPR_AND, a, scalar_known((int64_t)((UINT64_C(1) << bits) - 1)));
}

struct scalar scalar_widened(struct arena *arena, unsigned bits, struct scalar a) {
  return bits == 64 ? a : scalar_apply(arena, bits == 32 ? EXPR_FWIDEN : EXPR_HWIDEN, a, scalar_known(0));
}

struct scalar scalar_narrowed(struct arena *arena, unsigned bits, struct scalar a) {
  return bits == 64 ? a : scalar_apply(arena, bits == 32 ? EXPR_FNARROW : EXPR_HNARROW, a, scalar_known(0));
}

bool scalar_reach_same(struct scalar a, struct scalar b) {
  const struct reach *x = a.reach, *y = b.reach;
  if (a.object != b.object || !x != !y) return false;
  return x == y || (x->low == y->low && x->end == y->end && x->stride == y->stride && x->open == y->open);
}

bool scalar_same(struct scalar a, struct scalar b) {
  if (a.kind != b.kind) return false;
  if (a.kind == SCALAR_KNOWN) return a.value == b.value;
  if (a.kind == SCALAR_UNSET) return true;
  return scalar_reach_same(a, b) && (a.expr == b.expr || (a.expr && b.expr && a.expr->kind == EXPR_REG &&
                                                          b.expr->kind == EXPR_REG && a.expr->reg == b.expr->reg));
}
