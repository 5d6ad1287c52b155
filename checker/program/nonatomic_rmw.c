/* SPDX-License-Identifier: MIT */
/* Updates; see nonatomic_rmw.h. */
#include "checker/program/nonatomic_rmw.h"

#include "checker/base/array.h"

struct between {
  const struct instr *instrs;
  size_t load, store;
};

/* What a register was last given between the two. */
static const struct expr *given(const struct between *b, const struct expr *value) {
  for (size_t i = b->store; value->kind == EXPR_REG && i-- > b->load + 1;)
    if (b->instrs[i].kind == INSTR_ASSIGN && b->instrs[i].reg == (int)value->reg) value = b->instrs[i].value;
  return value;
}

/* Without the shifts that make it fit in 32 bits. */
static const struct expr *unfitted(const struct between *b, const struct expr *value) {
  value = given(b, value);
  bool fits = value->kind == EXPR_SHR && value->a->kind == EXPR_SHL && value->b->kind == EXPR_CONST &&
              value->a->b->kind == EXPR_CONST && value->b->value == 32 && value->a->b->value == 32;
  return fits ? given(b, value->a->a) : value;
}

/* Is it known before the load? */
static bool is_before(const struct between *b, const struct expr *value) {
  if (!value) return true;
  for (size_t i = b->load; value->kind == EXPR_REG && i < b->store; i++)
    if (b->instrs[i].reg == (int)value->reg) return false;
  return is_before(b, value->a) && is_before(b, value->b) && is_before(b, value->c);
}

/* ---- places ---- */

/* The value of an expression before instruction `at`, as far as assignments tell: *at goes back to where that is. */
static const struct expr *origin(const struct instr *instrs, const struct expr *value, size_t *at) {
  for (size_t i = *at; value->kind == EXPR_REG && i-- > 0;) {
    if (instrs[i].reg != (int)value->reg) continue;
    if (instrs[i].kind != INSTR_ASSIGN) {
      *at = i + 1;
      return value;
    }
    value = instrs[i].value;
    *at = i;
  }
  if (value->kind == EXPR_REG) *at = 0;
  return value;
}

/* Is `a` before instruction `at_a` what `b` is before `at_b`? */
static bool same_value(const struct instr *instrs, const struct expr *a, size_t at_a, const struct expr *b,
                       size_t at_b) {
  if (!a || !b) return a == b;
  a = origin(instrs, a, &at_a);
  b = origin(instrs, b, &at_b);
  if (a->kind != b->kind || a->value != b->value || a->reg != b->reg) return false;
  if (a->kind == EXPR_REG) return at_a == at_b;
  return same_value(instrs, a->a, at_a, b->a, at_b) && same_value(instrs, a->b, at_a, b->b, at_b) &&
         same_value(instrs, a->c, at_a, b->c, at_b);
}

bool update_find(const struct instr *instrs, size_t load, size_t store, const struct address *address,
                 const struct expr *value, struct update *update) {
  static const enum rmw_op ops[] = {RMW_ADD, RMW_SUB, RMW_OR, RMW_XOR, RMW_AND};
  const struct between b = {instrs, load, store};
  const struct address *from = &instrs[load].address;
  if (from->base != address->base || from->size != address->size ||
      !same_value(instrs, from->index, load, address->index, store))
    return false;
  const struct expr *result = unfitted(&b, value);
  *update = (struct update){RMW_EXCHANGE, given(&b, value)};
  for (size_t i = 0; i < ARRAY_COUNT(ops); i++) {
    if (result->kind != rmw_arithmetic(ops[i])) continue;
    const struct expr *left = given(&b, result->a), *right = given(&b, result->b);
    bool first = left->kind == EXPR_REG && left->reg == (unsigned)instrs[load].reg;
    bool second = right->kind == EXPR_REG && right->reg == (unsigned)instrs[load].reg;
    if (first || (second && ops[i] != RMW_SUB)) *update = (struct update){ops[i], first ? right : left};
  }
  return is_before(&b, update->operand);
}
