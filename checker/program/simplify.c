/* SPDX-License-Identifier: MIT */
/* Laws of single operations, for operations of which not all operands are known: one operand, or a constant, is all
 * that is left.
 */
#include "checker/program/simplify.h"

static bool is_constant(const struct expr *e, int64_t value) {
  return e->kind == EXPR_CONST && e->value == value;
}

/* An operation on one value twice; NULL: no law. */
static const struct expr *on_itself(struct arena *arena, enum expr_kind kind, const struct expr *a) {
  bool none =
      kind == EXPR_SUB || kind == EXPR_XOR || kind == EXPR_NE || kind == EXPR_LT || kind == EXPR_GT || kind == EXPR_ULT;
  if (none || kind == EXPR_EQ || kind == EXPR_LE || kind == EXPR_GE) return expr_constant(arena, !none);
  return kind == EXPR_AND || kind == EXPR_OR ? a : NULL;
}

/* An operation of `a` and 0 (commutative ones: on either side). */
static const struct expr *with_zero(enum expr_kind kind, const struct expr *a, const struct expr *zero) {
  bool kept = kind == EXPR_ADD || kind == EXPR_SUB || kind == EXPR_OR || kind == EXPR_XOR || kind == EXPR_SHL ||
              kind == EXPR_SHR;
  if (kind == EXPR_LOR && expr_is_truth(a->kind)) return a;
  return kept ? a : kind == EXPR_MUL || kind == EXPR_AND || kind == EXPR_LAND || kind == EXPR_ULT ? zero : NULL;
}

/* An operation of `a` and another constant, likewise. */
static const struct expr *with_constant(struct arena *arena, enum expr_kind kind, const struct expr *a,
                                        int64_t constant) {
  if (kind == EXPR_LOR) return expr_constant(arena, 1);
  bool kept = (kind == EXPR_MUL && constant == 1) || (kind == EXPR_LAND && expr_is_truth(a->kind));
  return kept ? a : NULL;
}

static bool commutes(enum expr_kind kind) {
  return kind == EXPR_ADD || kind == EXPR_MUL || kind == EXPR_AND || kind == EXPR_OR || kind == EXPR_XOR ||
         kind == EXPR_LAND || kind == EXPR_LOR;
}

const struct expr *expr_simplify(struct arena *arena, enum expr_kind kind, const struct expr *a, const struct expr *b,
                                 const struct expr *c) {
  if (kind == EXPR_COND) {
    if (a->kind == EXPR_CONST) return a->value ? b : c;
    return expr_same(b, c) ? b : NULL;
  }
  if (!b) return NULL;
  if (expr_same(a, b)) return on_itself(arena, kind, a);
  if (is_constant(b, 0)) return with_zero(kind, a, b);
  if (is_constant(a, 0) && commutes(kind)) return with_zero(kind, b, a);
  if (b->kind == EXPR_CONST) return with_constant(arena, kind, a, b->value);
  return a->kind == EXPR_CONST && commutes(kind) ? with_constant(arena, kind, b, a->value) : NULL;
}
