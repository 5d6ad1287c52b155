/* SPDX-License-Identifier: MIT */
/* Values of registers: numbers, expressions over loaded values, and what is not
 * followed; and the arithmetic on them. */
#include "hwsem/amd/unfold_parts.h"

struct amd_value value_number(uint32_t n) {
  return (struct amd_value){.kind = VALUE_NUMBER, .number = n};
}

struct amd_value value_opaque(struct amd_value a, struct amd_value b) {
  return (struct amd_value){.kind = a.kind == VALUE_UNSET || b.kind == VALUE_UNSET ? VALUE_UNSET : VALUE_OPAQUE};
}

struct amd_value value_of_slot(struct amd_unfolding *u, unsigned slot) {
  struct amd_expr *e = ARENA_NEW(u->arena, struct amd_expr);
  *e = (struct amd_expr){.kind = AMD_EXPR_SLOT, .slot = slot};
  return (struct amd_value){.kind = VALUE_EXPRESSION, .expr = e};
}

const struct amd_expr *value_expression(struct amd_unfolding *u, struct amd_value v) {
  if (v.kind == VALUE_EXPRESSION) return v.expr;
  struct amd_expr *e = ARENA_NEW(u->arena, struct amd_expr);
  *e = (struct amd_expr){.kind = AMD_EXPR_NUMBER, .number = (int32_t)v.number};
  return e;
}

static uint64_t apply(enum amd_fn fn, uint64_t a, uint64_t b, unsigned words) {
  unsigned bits = words == 2 ? 64 : 32;
  int64_t sa = words == 2 ? (int64_t)a : (int32_t)a, sb = words == 2 ? (int64_t)b : (int32_t)b;
  switch (fn) {
    case AMD_COPY:
      return a;
    case AMD_NOT:
      return ~a;
    case AMD_AND:
      return a & b;
    case AMD_OR:
      return a | b;
    case AMD_XOR:
      return a ^ b;
    case AMD_ANDN:
      return a & ~b;
    case AMD_ORN:
      return a | ~b;
    case AMD_ADD:
      return a + b;
    case AMD_SUB:
      return a - b;
    case AMD_MUL:
      return a * b;
    case AMD_SHL:
      return a << (b & (bits - 1));
    case AMD_SHR:
      return a >> (b & (bits - 1));
    case AMD_SAR:
      return (uint64_t)(sa >> (b & (bits - 1)));
    case AMD_MINU:
      return a < b ? a : b;
    case AMD_MAXU:
      return a > b ? a : b;
    case AMD_MINI:
      return sa < sb ? a : b;
    case AMD_MAXI:
      return sa > sb ? a : b;
    case AMD_EQ:
      return a == b;
    case AMD_NE:
      return a != b;
    case AMD_LTU:
      return a < b;
    case AMD_LEU:
      return a <= b;
    case AMD_GTU:
      return a > b;
    case AMD_GEU:
      return a >= b;
    case AMD_LTI:
      return sa < sb;
    case AMD_LEI:
      return sa <= sb;
    case AMD_GTI:
      return sa > sb;
    case AMD_GEI:
      return sa >= sb;
  }
  return 0;
}

int32_t amd_expr_value(const struct amd_expr *e, const int32_t *slots) {
  if (e->kind == AMD_EXPR_NUMBER) return e->number;
  if (e->kind == AMD_EXPR_SLOT) return slots[e->slot];
  uint32_t a = (uint32_t)amd_expr_value(e->a, slots), b = e->b ? (uint32_t)amd_expr_value(e->b, slots) : 0;
  return (int32_t)(uint32_t)apply(e->fn, a, b, 1);
}

struct amd_value value_combine(struct amd_unfolding *u, enum amd_fn fn, struct amd_value a, struct amd_value b) {
  if (a.kind == VALUE_NUMBER && b.kind == VALUE_NUMBER) return value_number((uint32_t)apply(fn, a.number, b.number, 1));
  if (a.kind == VALUE_UNSET || b.kind == VALUE_UNSET || a.kind == VALUE_OPAQUE || b.kind == VALUE_OPAQUE)
    return value_opaque(a, b);
  struct amd_expr *e = ARENA_NEW(u->arena, struct amd_expr);
  *e = (struct amd_expr){.kind = AMD_EXPR_FN, .fn = fn, .a = value_expression(u, a), .b = value_expression(u, b)};
  return (struct amd_value){.kind = VALUE_EXPRESSION, .expr = e};
}

static bool is_bitwise(enum amd_fn fn) {
  return fn <= AMD_ORN;
}

struct amd_wide value_combine_wide(struct amd_unfolding *u, enum amd_fn fn, unsigned words, struct amd_wide a,
                                   struct amd_wide b) {
  struct amd_wide result = {{{0}}};
  if (words == 1 || is_bitwise(fn)) {
    for (unsigned i = 0; i < words; i++) result.at[i] = value_combine(u, fn, a.at[i], b.at[i]);
    return result;
  }
  bool known = a.at[0].kind == VALUE_NUMBER && a.at[1].kind == VALUE_NUMBER && b.at[0].kind == VALUE_NUMBER &&
               b.at[1].kind == VALUE_NUMBER;
  if (!known) {
    struct amd_value low = value_opaque(a.at[0], b.at[0]), high = value_opaque(a.at[1], b.at[1]);
    result.at[0] = result.at[1] = value_opaque(low, high);
    return result;
  }
  uint64_t n =
      apply(fn, (uint64_t)a.at[1].number << 32 | a.at[0].number, (uint64_t)b.at[1].number << 32 | b.at[0].number, 2);
  result.at[0] = value_number((uint32_t)n);
  result.at[1] = value_number((uint32_t)(n >> 32));
  return result;
}
