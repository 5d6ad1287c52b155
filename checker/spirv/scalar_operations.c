/* SPDX-License-Identifier: MIT */
/* What operations make of scalars: each with two operands by a row of a table. */
#include <spirv/unified1/spirv.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"

/* How an operation takes its operands: as they are kept, or without sign. */
enum reading { PLAIN, UNSIGNED, FLOATING };

struct row {
  uint16_t opcode;
  enum expr_kind kind;
  enum reading reading;
  bool swap, negate; /* operands the other way round; of the result, a truth value, the contrary */
};

static const struct row binary_rows[] = {
    {SpvOpIAdd, EXPR_ADD, PLAIN, false, false},
    {SpvOpISub, EXPR_SUB, PLAIN, false, false},
    {SpvOpIMul, EXPR_MUL, PLAIN, false, false},
    {SpvOpSDiv, EXPR_DIV, PLAIN, false, false},
    {SpvOpSRem, EXPR_MOD, PLAIN, false, false},
    {SpvOpUDiv, EXPR_UDIV, UNSIGNED, false, false},
    {SpvOpUMod, EXPR_UMOD, UNSIGNED, false, false},
    {SpvOpBitwiseAnd, EXPR_AND, PLAIN, false, false},
    {SpvOpBitwiseOr, EXPR_OR, PLAIN, false, false},
    {SpvOpBitwiseXor, EXPR_XOR, PLAIN, false, false},
    {SpvOpShiftLeftLogical, EXPR_SHL, PLAIN, false, false},
    {SpvOpShiftRightArithmetic, EXPR_SHR, PLAIN, false, false},
    {SpvOpIEqual, EXPR_EQ, PLAIN, false, false},
    {SpvOpINotEqual, EXPR_NE, PLAIN, false, false},
    {SpvOpSLessThan, EXPR_LT, PLAIN, false, false},
    {SpvOpSLessThanEqual, EXPR_LE, PLAIN, false, false},
    {SpvOpSGreaterThan, EXPR_GT, PLAIN, false, false},
    {SpvOpSGreaterThanEqual, EXPR_GE, PLAIN, false, false},
    {SpvOpULessThan, EXPR_ULT, PLAIN, false, false},
    {SpvOpUGreaterThan, EXPR_ULT, PLAIN, true, false},
    {SpvOpULessThanEqual, EXPR_ULT, PLAIN, true, true},
    {SpvOpUGreaterThanEqual, EXPR_ULT, PLAIN, false, true},
    {SpvOpLogicalAnd, EXPR_LAND, PLAIN, false, false},
    {SpvOpLogicalOr, EXPR_LOR, PLAIN, false, false},
    {SpvOpLogicalEqual, EXPR_EQ, PLAIN, false, false},
    {SpvOpLogicalNotEqual, EXPR_NE, PLAIN, false, false},
    {SpvOpPtrEqual, EXPR_EQ, PLAIN, false, false},
    {SpvOpPtrNotEqual, EXPR_NE, PLAIN, false, false},
    {SpvOpFAdd, EXPR_FADD, FLOATING, false, false},
    {SpvOpFSub, EXPR_FSUB, FLOATING, false, false},
    {SpvOpFMul, EXPR_FMUL, FLOATING, false, false},
    {SpvOpFDiv, EXPR_FDIV, FLOATING, false, false},
    {SpvOpFOrdEqual, EXPR_FEQ, FLOATING, false, false},
    {SpvOpFUnordNotEqual, EXPR_FEQ, FLOATING, false, true},
    {SpvOpFOrdLessThan, EXPR_FLT, FLOATING, false, false},
    {SpvOpFOrdGreaterThan, EXPR_FLT, FLOATING, true, false},
    {SpvOpFUnordGreaterThanEqual, EXPR_FLT, FLOATING, false, true},
    {SpvOpFUnordLessThanEqual, EXPR_FLT, FLOATING, true, true},
};

struct scalar compute_not(struct arena *arena, struct scalar a) {
  return scalar_apply(arena, EXPR_LNOT, a, scalar_known(0));
}

struct scalar compute_kept(struct arena *arena, const struct kernel_type *type, struct scalar a) {
  if (type->kind == TYPE_FLOAT) return scalar_narrowed(arena, type->bits, a);
  return scalar_fit(arena, type->kind == TYPE_BOOL ? 64 : type->bits, a);
}

static struct scalar apply_row(struct arena *arena, const struct row *row, const struct kernel_type *to,
                               const struct kernel_type *from, struct scalar a, struct scalar b) {
  if (row->reading == UNSIGNED) {
    a = scalar_unsigned(arena, from->bits, a);
    b = scalar_unsigned(arena, from->bits, b);
  }
  if (row->reading == FLOATING) a = scalar_widened(arena, from->bits, a), b = scalar_widened(arena, from->bits, b);
  struct scalar result = row->swap ? scalar_apply(arena, row->kind, b, a) : scalar_apply(arena, row->kind, a, b);
  return row->negate ? compute_not(arena, result) : compute_kept(arena, to, result);
}

static const struct row *binary_row(uint16_t opcode) {
  for (size_t i = 0; i < ARRAY_COUNT(binary_rows); i++)
    if (binary_rows[i].opcode == opcode) return &binary_rows[i];
  return NULL;
}

bool compute_has_binary(uint16_t opcode) {
  return binary_row(opcode) != NULL;
}

struct scalar compute_binary(struct arena *arena, uint16_t opcode, const struct kernel_type *to,
                             const struct kernel_type *from, struct scalar a, struct scalar b) {
  return apply_row(arena, binary_row(opcode), to, from, a, b);
}

bool compute_unary(struct arena *arena, uint16_t opcode, const struct kernel_type *to, const struct kernel_type *from,
                   struct scalar *a) {
  struct scalar zero = scalar_known(0);
  switch (opcode) {
    case SpvOpSNegate:
      *a = compute_kept(arena, to, scalar_apply(arena, EXPR_NEG, *a, zero));
      return true;
    case SpvOpNot:
      *a = scalar_apply(arena, EXPR_NOT, *a, zero);
      return true;
    case SpvOpLogicalNot:
      *a = compute_not(arena, *a);
      return true;
    case SpvOpUConvert:
    case SpvOpConvertPtrToU:
      *a = compute_kept(arena, to, scalar_unsigned(arena, from->bits, *a));
      return true;
    default:
      return false;
  }
}

/* Counts modulo the number of bits are for whoever shifts too far, which is undefined. */
struct scalar compute_shift_right(struct arena *arena, const struct kernel_type *type, struct scalar a,
                                  struct scalar b) {
  if (type->bits < 64)
    return compute_kept(arena, type, scalar_apply(arena, EXPR_SHR, scalar_unsigned(arena, type->bits, a), b));
  struct scalar mask =
      scalar_apply(arena, EXPR_SHL, scalar_known(-1), scalar_apply(arena, EXPR_SUB, scalar_known(64), b));
  struct scalar shifted = scalar_apply(arena, EXPR_AND, scalar_apply(arena, EXPR_SHR, a, b),
                                       scalar_apply(arena, EXPR_NOT, mask, scalar_known(0)));
  return scalar_choose(arena, scalar_apply(arena, EXPR_EQ, b, scalar_known(0)), a, shifted);
}

/* The sign of a remainder is that of the divisor. */
struct scalar compute_modulo(struct arena *arena, struct scalar a, struct scalar b) {
  struct scalar rest = scalar_apply(arena, EXPR_MOD, a, b), zero = scalar_known(0);
  struct scalar differs = scalar_apply(arena, EXPR_LT, scalar_apply(arena, EXPR_XOR, rest, b), zero);
  struct scalar moved = scalar_apply(arena, EXPR_ADD, rest, b);
  return scalar_choose(arena, scalar_apply(arena, EXPR_LAND, differs, scalar_apply(arena, EXPR_NE, rest, zero)), moved,
                       rest);
}

bool compute_constant(struct arena *arena, uint16_t opcode, const struct kernel_type *to,
                      const struct kernel_type *from, const struct scalar *operands, struct scalar *result) {
  const struct row *row = binary_row(opcode);
  const struct scalar *a = operands;
  *result = a[0];
  if (compute_unary(arena, opcode, to, from, result)) return true;
  if (opcode == SpvOpSConvert)
    *result = compute_kept(arena, to, a[0]);
  else if (opcode == SpvOpSelect)
    *result = scalar_choose(arena, a[0], a[1], a[2]);
  else if (opcode == SpvOpShiftRightLogical)
    *result = compute_shift_right(arena, to, a[0], a[1]);
  else if (opcode == SpvOpSMod)
    *result = compute_modulo(arena, a[0], a[1]);
  else if (row && row->reading != FLOATING)
    *result = apply_row(arena, row, to, from, a[0], a[1]);
  else
    return false;
  return true;
}
