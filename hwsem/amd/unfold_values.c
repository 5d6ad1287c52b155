/* SPDX-License-Identifier: MIT */
/* Values of registers: numbers, expressions over loaded values, and what is not
 * followed; and the arithmetic on them. */
#include <math.h>

#include "checker/base/number.h"
#include "hwsem/amd/unfold_internal.h"

struct amd_value value_number(uint32_t n) {
  return (struct amd_value){.kind = VALUE_NUMBER, .number = n};
}

/* What comes of two values in a way that is not followed. */
static struct amd_value value_opaque(struct amd_value a, struct amd_value b) {
  return (struct amd_value){.kind = a.kind == VALUE_UNSET || b.kind == VALUE_UNSET ? VALUE_UNSET : VALUE_OPAQUE};
}

struct amd_value value_of_slot(struct amd_unfolding *u, unsigned slot, unsigned word) {
  struct amd_expr *e = ARENA_MAKE(u->arena, struct amd_expr, .kind = AMD_EXPR_SLOT, .slot = slot, .word = word);
  return (struct amd_value){.kind = VALUE_EXPRESSION, .expr = e};
}

const struct amd_expr *value_expression(struct amd_unfolding *u, struct amd_value v) {
  if (v.kind == VALUE_EXPRESSION) return v.expr;
  return ARENA_MAKE(u->arena, struct amd_expr, .kind = AMD_EXPR_NUMBER, .number = (int32_t)v.number);
}

bool unfold_same(const struct amd_expr *a, const struct amd_expr *b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind) return false;
  if (a->kind == AMD_EXPR_NUMBER) return a->number == b->number;
  if (a->kind == AMD_EXPR_SLOT) return a->slot == b->slot && a->word == b->word;
  return a->fn == b->fn && unfold_same(a->a, b->a) && unfold_same(a->b, b->b);
}

amd_slot_set unfold_slots_of(const struct amd_expr *e) {
  if (!e || e->kind == AMD_EXPR_NUMBER) return 0;
  if (e->kind == AMD_EXPR_SLOT) return amd_slot(e->slot);
  return unfold_slots_of(e->a) | unfold_slots_of(e->b);
}

static uint32_t reverse(uint32_t a) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; bit++) result |= (a >> bit & 1) << (31 - bit);
  return result;
}

/* ---- floats ---- */

static int64_t within(float value, int64_t least, int64_t most) {
  if (isnan(value)) return 0;
  return value <= (float)least ? least : value >= (float)most ? most : (int64_t)value;
}

static float scale(float x, int32_t power) {
  return ldexpf(x, power > 1024 ? 1024 : power < -1024 ? -1024 : power);
}

static uint32_t apply_float(enum amd_fn fn, uint32_t a, uint32_t b) {
  float x = float_of_bits(a), y = float_of_bits(b);
  switch (fn) {
    case AMD_FADD:
      return bits_of_float(x + y);
    case AMD_FSUB:
      return bits_of_float(x - y);
    case AMD_FMUL:
      return bits_of_float(x * y);
    case AMD_FMIN:
      return bits_of_float(fminf(x, y));
    case AMD_FMAX:
      return bits_of_float(fmaxf(x, y));
    case AMD_FRCP:
      return bits_of_float(1 / x);
    case AMD_FSCALE:
      return bits_of_float(scale(x, (int32_t)b));
    case AMD_FLT:
      return x < y;
    case AMD_FLE:
      return x <= y;
    case AMD_FEQ:
      return x == y;
    case AMD_FNLT:
      return !(x < y);
    case AMD_FNLE:
      return !(x <= y);
    case AMD_FNEQ:
      return !(x == y);
    case AMD_FFROM:
      return bits_of_float((float)(int32_t)a);
    case AMD_FFROMU:
      return bits_of_float((float)a);
    case AMD_FTO:
      return (uint32_t)within(x, INT32_MIN, INT32_MAX);
    default: /* AMD_FTOU */
      return (uint32_t)within(x, 0, UINT32_MAX);
  }
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
    case AMD_NOR:
      return ~(a | b);
    case AMD_NAND:
      return ~(a & b);
    case AMD_XNOR:
      return ~(a ^ b);
    case AMD_PACK:
      return (a & 0xffff) | b << 16;
    case AMD_ADD:
      return a + b;
    case AMD_SUB:
      return a - b;
    case AMD_MUL:
      return a * b;
    case AMD_MUL24:
      return (a & 0xffffff) * (b & 0xffffff);
    case AMD_MULI24:
      return (uint64_t)((int64_t)(a << 40) >> 40) * (uint64_t)((int64_t)(b << 40) >> 40);
    case AMD_MULHU:
      return a * b >> 32;
    case AMD_MULHI:
      return (uint64_t)(sa * sb) >> 32;
    case AMD_SEXT8:
      return (uint64_t)(int8_t)a;
    case AMD_SEXT16:
      return (uint64_t)(int16_t)a;
    case AMD_REVERSE:
      return reverse((uint32_t)a);
    case AMD_COUNT:
      return (uint64_t)__builtin_popcount((uint32_t)a) + b;
    case AMD_CLZ:
      return (uint32_t)a ? (uint64_t)__builtin_clz((uint32_t)a) : UINT32_MAX;
    case AMD_CTZ:
      return (uint32_t)a ? (uint64_t)__builtin_ctz((uint32_t)a) : UINT32_MAX;
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
    default:
      return apply_float(fn, (uint32_t)a, (uint32_t)b);
  }
}

int32_t amd_expr_value(const struct amd_expr *e, const int32_t *slots, unsigned width) {
  if (e->kind == AMD_EXPR_NUMBER) return e->number;
  if (e->kind == AMD_EXPR_SLOT) return slots[e->slot * width + e->word];
  uint32_t a = (uint32_t)amd_expr_value(e->a, slots, width);
  uint32_t b = e->b ? (uint32_t)amd_expr_value(e->b, slots, width) : 0;
  return (int32_t)(uint32_t)apply(e->fn, a, b, 1);
}

int64_t amd_words_value(const struct amd_words *words, const int32_t *slots, unsigned width) {
  int32_t low = amd_expr_value(words->word[0], slots, width);
  if (!words->word[1]) return low;
  uint64_t high = (uint32_t)amd_expr_value(words->word[1], slots, width);
  return (int64_t)(high << 32 | (uint32_t)low);
}

struct amd_value value_combine(struct amd_unfolding *u, enum amd_fn fn, struct amd_value a, struct amd_value b) {
  if (a.kind == VALUE_NUMBER && b.kind == VALUE_NUMBER) return value_number((uint32_t)apply(fn, a.number, b.number, 1));
  if (a.kind == VALUE_UNSET || b.kind == VALUE_UNSET || a.kind == VALUE_OPAQUE || b.kind == VALUE_OPAQUE)
    return value_opaque(a, b);
  if (b.kind == VALUE_NUMBER && b.number == 0) {
    if (fn == AMD_ADD || fn == AMD_SUB || fn == AMD_OR || fn == AMD_XOR || fn == AMD_SHL || fn == AMD_SHR ||
        fn == AMD_SAR)
      return a;
    if (fn == AMD_AND || fn == AMD_MUL || fn == AMD_LTU) return b;
  }
  if (a.kind == VALUE_NUMBER && a.number == 0 && (fn == AMD_ADD || fn == AMD_OR || fn == AMD_XOR)) return b;
  struct amd_expr *e = ARENA_MAKE(u->arena, struct amd_expr, .kind = AMD_EXPR_FN, .fn = fn, .a = value_expression(u, a),
                                  .b = value_expression(u, b));
  return (struct amd_value){.kind = VALUE_EXPRESSION, .expr = e};
}

struct amd_value value_fused(struct amd_value a, struct amd_value b, struct amd_value c) {
  if (a.kind != VALUE_NUMBER || b.kind != VALUE_NUMBER || c.kind != VALUE_NUMBER)
    return (struct amd_value){.kind = VALUE_OPAQUE};
  return value_number(bits_of_float(fmaf(float_of_bits(a.number), float_of_bits(b.number), float_of_bits(c.number))));
}

/* ---- two words ---- */

static bool is_known(struct amd_wide wide) {
  return wide.at[0].kind == VALUE_NUMBER && wide.at[1].kind == VALUE_NUMBER;
}

static struct amd_wide apply_wide(enum amd_fn fn, struct amd_wide a, struct amd_wide b) {
  uint64_t n =
      apply(fn, (uint64_t)a.at[1].number << 32 | a.at[0].number, (uint64_t)b.at[1].number << 32 | b.at[0].number, 2);
  return (struct amd_wide){{value_number((uint32_t)n), value_number((uint32_t)(n >> 32))}};
}

static bool is_zero(struct amd_value v) {
  return v.kind == VALUE_NUMBER && v.number == 0;
}

struct amd_value value_carry(struct amd_unfolding *u, enum amd_fn fn, struct amd_value a, struct amd_value b,
                             struct amd_value in, struct amd_value *carry) {
  struct amd_value sum = value_combine(u, fn, a, b), whole = value_combine(u, fn, sum, in), zero = value_number(0);
  bool add = fn == AMD_ADD;
  struct amd_value first = is_zero(b) || (add && is_zero(a)) ? zero : value_combine(u, AMD_LTU, add ? sum : a, b);
  struct amd_value second = is_zero(in) ? zero : value_combine(u, AMD_LTU, add ? whole : sum, in);
  *carry = value_combine(u, AMD_OR, first, second);
  return whole;
}

struct amd_wide value_shift_wide(struct amd_unfolding *u, enum amd_fn fn, struct amd_wide a, unsigned by) {
  bool left = fn == AMD_SHL;
  struct amd_value near = a.at[left ? 0 : 1], far = a.at[left ? 1 : 0]; /* bits go from near to far */
  struct amd_value filling = fn == AMD_SAR ? value_combine(u, AMD_SAR, near, value_number(31)) : value_number(0);
  if (by >= 32) {
    far = near;
    near = filling;
    by -= 32;
  }
  struct amd_value across =
      by ? value_combine(u, left ? AMD_SHR : AMD_SHL, near, value_number(32 - by)) : value_number(0);
  enum amd_fn back = left ? AMD_SHL : AMD_SHR;
  far = value_combine(u, AMD_OR, value_combine(u, back, far, value_number(by)), across);
  near = value_combine(u, fn, near, value_number(by));
  return left ? (struct amd_wide){{near, far}} : (struct amd_wide){{far, near}};
}

/* By a number of bits that is known only when it is read: with its lower five, and then with a word if it has a
 * sixth. */
static struct amd_wide shift_wide_by(struct amd_unfolding *u, enum amd_fn fn, struct amd_wide a, struct amd_value by) {
  bool left = fn == AMD_SHL;
  enum amd_fn back = left ? AMD_SHR : AMD_SHL;
  struct amd_value near = a.at[left ? 0 : 1], far = a.at[left ? 1 : 0], one = value_number(1), zero = value_number(0);
  struct amd_value bits = value_combine(u, AMD_AND, by, value_number(31));
  struct amd_value word = value_combine(u, AMD_AND, value_combine(u, AMD_SHR, by, value_number(5)), one);
  struct amd_value yes = value_combine(u, AMD_SUB, zero, word), no = value_combine(u, AMD_NOT, yes, zero);
  struct amd_value rest = value_combine(u, AMD_SUB, value_number(31), bits);
  struct amd_value across = value_combine(u, back, value_combine(u, back, near, one), rest);
  struct amd_value filling = fn == AMD_SAR ? value_combine(u, AMD_SAR, near, value_number(31)) : zero;
  struct amd_value moved = value_combine(u, fn, near, bits);
  far = value_combine(u, AMD_OR, value_combine(u, left ? AMD_SHL : AMD_SHR, far, bits), across);
  far = value_combine(u, AMD_OR, value_combine(u, AMD_AND, far, no), value_combine(u, AMD_AND, moved, yes));
  near = value_combine(u, AMD_OR, value_combine(u, AMD_AND, moved, no), value_combine(u, AMD_AND, filling, yes));
  return left ? (struct amd_wide){{near, far}} : (struct amd_wide){{far, near}};
}

struct amd_wide value_product(struct amd_unfolding *u, enum amd_fn upper, struct amd_value a, struct amd_value b) {
  return (struct amd_wide){{value_combine(u, AMD_MUL, a, b), value_combine(u, upper, a, b)}};
}

struct amd_wide value_combine_wide(struct amd_unfolding *u, enum amd_fn fn, unsigned words, struct amd_wide a,
                                   struct amd_wide b) {
  struct amd_wide result = {{{0}}};
  if (words == 1 || amd_fn_is_bitwise(fn)) {
    for (unsigned i = 0; i < words; i++) result.at[i] = value_combine(u, fn, a.at[i], b.at[i]);
    return result;
  }
  if (is_known(a) && is_known(b)) return apply_wide(fn, a, b);
  if (fn == AMD_ADD || fn == AMD_SUB) {
    struct amd_value carry;
    result.at[0] = value_carry(u, fn, a.at[0], b.at[0], value_number(0), &carry);
    result.at[1] = value_carry(u, fn, a.at[1], b.at[1], carry, &carry);
    return result;
  }
  if (fn == AMD_MUL) {
    result = value_product(u, AMD_MULHU, a.at[0], b.at[0]);
    result.at[1] = value_combine(u, AMD_ADD, result.at[1], value_combine(u, AMD_MUL, a.at[0], b.at[1]));
    result.at[1] = value_combine(u, AMD_ADD, result.at[1], value_combine(u, AMD_MUL, a.at[1], b.at[0]));
    return result;
  }
  bool shift = fn == AMD_SHL || fn == AMD_SHR || fn == AMD_SAR;
  if (shift && b.at[0].kind == VALUE_NUMBER) return value_shift_wide(u, fn, a, b.at[0].number & 63);
  if (shift) return shift_wide_by(u, fn, a, b.at[0]);
  struct amd_value low = value_opaque(a.at[0], b.at[0]), high = value_opaque(a.at[1], b.at[1]);
  result.at[0] = result.at[1] = value_opaque(low, high);
  return result;
}
