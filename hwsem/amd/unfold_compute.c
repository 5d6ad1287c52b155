/* SPDX-License-Identifier: MIT */
/* Instructions that compute: arithmetic, carries, comparisons, masks. */
#include <string.h>

#include "hwsem/amd/unfold_internal.h"

static bool set_scc(struct amd_unfolding *u, struct amd_path *p, struct amd_wide result, unsigned words) {
  struct amd_value any = words == 2 ? value_combine(u, AMD_OR, result.at[0], result.at[1]) : result.at[0];
  p->regs[AMD_SCC].value = value_combine(u, AMD_NE, any, value_number(0));
  return true;
}

/* A product leaves SCC as it is, and so does a sum of two words each; what a maximum or a sum says in it (that it does
 * not fit) is not followed. */
static bool leave_scc(struct amd_path *p, const struct amd_instr *i) {
  bool sum = i->op == AMD_OP_BINARY && (i->fn == AMD_ADD || i->fn == AMD_SUB);
  if (sum && i->words == 2) return true;
  if (i->fn == AMD_PACK || amd_fn_is_float((enum amd_fn)i->fn)) return true;
  bool other = sum || amd_fn_is_least_or_greatest((enum amd_fn)i->fn) || (i->fn2 && i->op != AMD_OP_FIELD);
  if (other) p->regs[AMD_SCC].value = (struct amd_value){.kind = VALUE_UNSET};
  return other || amd_fn_multiplies((enum amd_fn)i->fn);
}

static bool is_scalar(const struct amd_instr *instr) {
  return instr->name[0] == 's';
}

/* Of a mask whose register nothing has set the bit of the one lane may be known all the same, where
 * another mask decides it: what has been left out of a loop is collected in such. */
static struct amd_value combine_masks(struct amd_unfolding *u, enum amd_fn fn, struct amd_value a, struct amd_value b) {
  bool a_unset = a.kind == VALUE_UNSET, b_unset = b.kind == VALUE_UNSET;
  struct amd_value zero = value_number(0), known = a_unset ? b : a;
  if (a_unset == b_unset || known.kind != VALUE_NUMBER || (known.number > 1 && known.number != UINT32_MAX))
    return value_combine(u, fn, a, b);
  bool bit = known.number & 1;
  if (fn == AMD_OR && bit) return known;
  if (fn == AMD_AND && !bit) return zero;
  if (fn == AMD_ANDN && (a_unset ? bit : !bit)) return zero;
  return value_combine(u, fn, a, b);
}

static struct amd_wide binary(struct amd_unfolding *u, const struct amd_instr *i, struct amd_wide a,
                              struct amd_wide b) {
  struct amd_wide result = {{{0}}};
  enum amd_fn fn = (enum amd_fn)i->fn;
  if (!is_scalar(i) || !amd_fn_is_bitwise(fn)) return value_combine_wide(u, fn, i->words, a, b);
  for (unsigned k = 0; k < i->words; k++) result.at[k] = combine_masks(u, fn, a.at[k], b.at[k]);
  return result;
}

/* Bits of a word, from number `at` on. */
static struct amd_value field(struct amd_unfolding *u, struct amd_value a, struct amd_value at, struct amd_value count,
                              bool is_signed) {
  struct amd_value one = value_number(1), low = value_combine(u, AMD_SHR, a, at);
  if (!is_signed) {
    struct amd_value mask = value_combine(u, AMD_SUB, value_combine(u, AMD_SHL, one, count), one);
    return value_combine(u, AMD_AND, low, mask);
  }
  if (count.kind != VALUE_NUMBER) return (struct amd_value){.kind = VALUE_OPAQUE};
  if (!(count.number & 31)) return value_number(0);
  struct amd_value above = value_number(32 - (count.number & 31));
  return value_combine(u, AMD_SAR, value_combine(u, AMD_SHL, low, above), above);
}

/* The vector instruction takes five bits of each number, the scalar one seven of how many. */
static struct amd_value bit_field(struct amd_unfolding *u, const struct amd_instr *i, struct amd_value a,
                                  struct amd_value b, struct amd_value c) {
  struct amd_value at = value_combine(u, AMD_AND, b, value_number(31));
  struct amd_value count = value_combine(u, AMD_AND, c, value_number(31));
  if (!is_scalar(i)) return field(u, a, at, count, i->fn2);
  if (b.kind != VALUE_NUMBER) return (struct amd_value){.kind = VALUE_OPAQUE};
  unsigned width = b.number >> 16 & 0x7f;
  if (width < 32) return field(u, a, at, value_number(width), i->fn2);
  return value_combine(u, i->fn2 ? AMD_SAR : AMD_SHR, a, at);
}

/* Of two words; where the bits are must be a number. */
static struct amd_wide wide_field(struct amd_unfolding *u, const struct amd_instr *i, struct amd_wide a,
                                  struct amd_value b) {
  unsigned at = b.number & 63, width = b.number >> 16 & 0x7f;
  if (b.kind != VALUE_NUMBER) return (struct amd_wide){{{.kind = VALUE_OPAQUE}, {.kind = VALUE_OPAQUE}}};
  if (!width) return (struct amd_wide){{value_number(0), value_number(0)}};
  if (at + width > 64) width = 64 - at;
  a = value_shift_wide(u, AMD_SHL, a, 64 - at - width);
  return value_shift_wide(u, i->fn2 ? AMD_SAR : AMD_SHR, a, 64 - width);
}

/* Bytes of two words, of b the lower numbers. */
static struct amd_value permute(struct amd_unfolding *u, struct amd_value a, struct amd_value b, struct amd_value c) {
  struct amd_value result = value_number(0);
  if (c.kind != VALUE_NUMBER) return (struct amd_value){.kind = VALUE_OPAQUE};
  for (unsigned k = 0; k < 4; k++) {
    unsigned from = c.number >> 8 * k & 0xff;
    struct amd_value byte = value_number(from > 12 ? 0xff : 0);
    if (from < 8) byte = value_piece(u, from < 4 ? b : a, (enum amd_piece)(AMD_BYTE0 + from % 4), false);
    if (from >= 8 && from < 12) return (struct amd_value){.kind = VALUE_OPAQUE};
    result = value_combine(u, AMD_OR, result, value_combine(u, AMD_SHL, byte, value_number(8 * k)));
  }
  return result;
}

/* Instructions on bits of three words, or of two. */
static struct amd_value compute_bits(struct amd_unfolding *u, const struct amd_instr *i, struct amd_value a,
                                     struct amd_value b, struct amd_value c) {
  if (i->op == AMD_OP_FIELD) return bit_field(u, i, a, b, c);
  if (i->op == AMD_OP_PERMUTE) return permute(u, a, b, c);
  if (i->op == AMD_OP_INSERT) {
    struct amd_value kept = value_combine(u, AMD_AND, c, value_combine(u, AMD_NOT, a, value_number(0)));
    return value_combine(u, AMD_OR, value_combine(u, AMD_AND, a, b), kept);
  }
  if (c.kind != VALUE_NUMBER) return (struct amd_value){.kind = VALUE_OPAQUE}; /* ALIGN */
  unsigned by = i->fn2 ? 8 * (c.number & 3) : c.number & 31;
  return value_shift_wide(u, AMD_SHR, (struct amd_wide){{b, a}}, by).at[0];
}

/* A sum or difference of numbers without a sign, no greater than the greatest, or no less than 0. */
static struct amd_value saturate_unsigned(struct amd_unfolding *u, const struct amd_instr *i, struct amd_value a,
                                          struct amd_value b) {
  if (i->fn == AMD_SUB) return value_combine(u, AMD_SUB, a, value_combine(u, AMD_MINU, a, b));
  if (i->short_numbers) return value_combine(u, AMD_MINU, value_combine(u, AMD_ADD, a, b), value_number(UINT16_MAX));
  struct amd_value room = value_combine(u, AMD_NOT, a, value_number(0));
  return value_combine(u, AMD_ADD, a, value_combine(u, AMD_MINU, b, room));
}

/* The same of numbers with a sign: where both have one (of a difference: where they have not) and the result has the
 * other, the number that is furthest from 0 with a's. */
static struct amd_value saturate_signed(struct amd_unfolding *u, const struct amd_instr *i, struct amd_value a,
                                        struct amd_value b) {
  struct amd_value result = value_combine(u, (enum amd_fn)i->fn, a, b), sign = value_number(31);
  if (i->short_numbers) {
    result = value_combine(u, AMD_MINI, result, value_number(INT16_MAX));
    return value_combine(u, AMD_MAXI, result, value_number((uint32_t)INT16_MIN));
  }
  struct amd_value apart = value_combine(u, AMD_XOR, a, i->fn == AMD_ADD ? result : b);
  struct amd_value over = value_combine(u, AMD_XOR, i->fn == AMD_ADD ? b : a, result);
  over = value_combine(u, AMD_SAR, value_combine(u, AMD_AND, apart, over), sign);
  struct amd_value most = value_combine(u, AMD_XOR, value_combine(u, AMD_SAR, a, sign), value_number(INT32_MAX));
  struct amd_value fits = value_combine(u, AMD_AND, result, value_combine(u, AMD_NOT, over, value_number(0)));
  return value_combine(u, AMD_OR, fits, value_combine(u, AMD_AND, most, over));
}

static struct amd_value saturate(struct amd_unfolding *u, const struct amd_instr *i, struct amd_value a,
                                 struct amd_value b) {
  bool is_signed = strrchr(i->name, '_')[1] == 'i';
  return (is_signed ? saturate_signed : saturate_unsigned)(u, i, a, b);
}

static struct amd_value median(struct amd_unfolding *u, const struct amd_instr *i, struct amd_value a,
                               struct amd_value b, struct amd_value c) {
  enum amd_fn least = (enum amd_fn)i->fn, most = (enum amd_fn)i->fn2;
  struct amd_value upper = value_combine(u, least, value_combine(u, most, a, b), c);
  return value_combine(u, most, value_combine(u, least, a, b), upper);
}

/* Bit by bit what a table says: bit 2a+b of it is what becomes of a and b. */
static struct amd_value two_bits(struct amd_unfolding *u, unsigned table, struct amd_value a, struct amd_value b) {
  static const struct {
    enum amd_fn fn;
    bool reversed;
  } FUNCTIONS[16] = {
      [1] = {AMD_NOR, 0},  [2] = {AMD_ANDN, 1},  [3] = {AMD_NOT, 0},  [4] = {AMD_ANDN, 0}, [5] = {AMD_NOT, 1},
      [6] = {AMD_XOR, 0},  [7] = {AMD_NAND, 0},  [8] = {AMD_AND, 0},  [9] = {AMD_XNOR, 0}, [10] = {AMD_COPY, 1},
      [11] = {AMD_ORN, 1}, [12] = {AMD_COPY, 0}, [13] = {AMD_ORN, 0}, [14] = {AMD_OR, 0}};
  if (table == 0 || table == 15) return value_number(table ? UINT32_MAX : 0);
  bool reversed = FUNCTIONS[table].reversed;
  return value_combine(u, FUNCTIONS[table].fn, reversed ? b : a, reversed ? a : b);
}

static struct amd_value three_bits(struct amd_unfolding *u, unsigned table, struct amd_value a, struct amd_value b,
                                   struct amd_value c) {
  struct amd_value without = two_bits(u, table & 15, b, c), with = two_bits(u, table >> 4 & 15, b, c);
  if ((table & 15) == (table >> 4 & 15)) return without;
  return value_combine(u, AMD_OR, value_combine(u, AMD_AND, with, a), value_combine(u, AMD_ANDN, without, a));
}

static struct amd_value bits(struct amd_unfolding *u, const struct amd_instr *i, struct amd_value a, struct amd_value b,
                             struct amd_value c) {
  unsigned table = (unsigned)i->second;
  if (i->count == 4) return three_bits(u, table, a, b, c);
  return two_bits(u, (table & 1) | (table >> 1 & 2) | (table >> 2 & 4) | (table >> 3 & 8), a, b);
}

/* With a third operand; where there is none, b has both numbers of a field, and a product adds to the destination. */
static bool compute_third(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, struct amd_wide a,
                          struct amd_wide b, struct amd_wide *result) {
  struct amd_wide c = b;
  bool adds = i->op == AMD_OP_FUSED && i->count == 3;
  if ((adds || i->count > 3) && !unfold_read_wide(u, p, &i->at[adds ? 0 : 3], i->words, &c)) return false;
  if (i->op == AMD_OP_TERNARY)
    *result = value_combine_wide(u, (enum amd_fn)i->fn2, i->words,
                                 value_combine_wide(u, (enum amd_fn)i->fn, i->words, a, b), c);
  else if (i->op == AMD_OP_FUSED)
    result->at[0] = value_fused(a.at[0], b.at[0], c.at[0]);
  else if (i->op == AMD_OP_BITS)
    result->at[0] = bits(u, i, a.at[0], b.at[0], c.at[0]);
  else if (i->op == AMD_OP_MEDIAN)
    result->at[0] = median(u, i, a.at[0], b.at[0], c.at[0]);
  else if (i->words == 2)
    *result = wide_field(u, i, a, b.at[0]);
  else
    result->at[0] = compute_bits(u, i, a.at[0], b.at[0], c.at[0]);
  return true;
}

/* The result of an instruction with one destination. */
static bool compute(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, struct amd_wide *result) {
  struct amd_wide a, b, c;
  bool bit = false;
  static const struct amd_operand VCC = {.kind = AMD_REG, .reg = AMD_VCC, .words = 1};
  if (i->op == AMD_OP_PROGRAM_COUNTER) {
    *result = (struct amd_wide){{value_number(0), value_number(0)}};
    return true;
  }
  if (!unfold_read_wide(u, p, &i->at[1], i->words, &a)) return false;
  if (i->op == AMD_OP_MOVE) {
    *result =
        value_combine_wide(u, (enum amd_fn)i->fn, i->words, a, (struct amd_wide){{value_number(0), value_number(0)}});
    if (i->fn == AMD_COPY) *result = a;
    return true;
  }
  if (!unfold_read_wide(u, p, &i->at[2], i->words, &b)) return false;
  switch (i->op) {
    case AMD_OP_BINARY:
      if (i->fn2) a.at[0] = value_combine(u, AMD_SHL, a.at[0], value_number(i->fn2));
      *result = binary(u, i, a, b);
      if (i->saturates) result->at[0] = saturate(u, i, a.at[0], b.at[0]);
      return true;
    case AMD_OP_REVERSED:
      if (i->words == 2) a.at[1] = value_number(0); /* a shift's count is one word */
      if (i->short_numbers && i->fn != AMD_SUB) a.at[0] = value_combine(u, AMD_AND, a.at[0], value_number(15));
      *result = value_combine_wide(u, (enum amd_fn)i->fn, i->words, b, a);
      if (i->saturates) result->at[0] = saturate(u, i, b.at[0], a.at[0]);
      return true;
    case AMD_OP_TWO_MOVES:
      *result = (struct amd_wide){{a.at[i->fn2 & 1], b.at[i->fn2 >> 1]}};
      return true;
    case AMD_OP_FIELD:
    case AMD_OP_INSERT:
    case AMD_OP_ALIGN:
    case AMD_OP_PERMUTE:
    case AMD_OP_BITS:
    case AMD_OP_MEDIAN:
    case AMD_OP_FUSED:
    case AMD_OP_TERNARY:
      return compute_third(u, p, i, a, b, result);
    case AMD_OP_SELECT: /* half of a dual instruction names no mask: vcc */
      if (!unfold_read_word(u, p, i->count == 4 ? &i->at[3] : &VCC, 0, &c.at[0]) ||
          !unfold_mask_bit(u, p, &c.at[0], &bit))
        return false;
      *result = bit ? b : a;
      return true;
    case AMD_OP_SELECT_SCC:
      if (!unfold_decide(u, p, AMD_NE, p->regs[AMD_SCC].value, value_number(0), &bit)) return false;
      *result = bit ? a : b;
      return true;
    default: /* MBCNT: no lane is below the only one */
      *result = b;
      return true;
  }
}

bool unfold_compute(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  static const uint32_t ONE = 0x3f800000; /* 1.0 */
  struct amd_wide first, second = {{{0}}};
  if (!compute(u, p, i, &first)) return false;
  if (i->clamps) first.at[0] = value_combine(u, AMD_FMAX, first.at[0], value_number(0));
  if (i->clamps) first.at[0] = value_combine(u, AMD_FMIN, first.at[0], value_number(ONE));
  if (i->dual && !compute(u, p, i->dual, &second)) return false;
  if (!unfold_write_wide(u, p, &i->at[0], i->words, first)) return false;
  if (i->op == AMD_OP_MOVE && i->fn == AMD_COPY && i->at[1].kind == AMD_REG && i->at[1].reg >= AMD_V)
    unfold_copy_lanes(u, p, i->at[0].reg, i->at[1].reg);
  if (i->dual && !unfold_write_wide(u, p, &i->dual->at[0], i->dual->words, second)) return false;
  bool logic = is_scalar(i) &&
               (i->op == AMD_OP_BINARY || i->op == AMD_OP_FIELD || i->fn == AMD_NOT || i->fn == AMD_COUNT) &&
               i->op != AMD_OP_SELECT_SCC;
  return !logic || leave_scc(p, i) || set_scc(u, p, first, i->words);
}

/* Sums with carries. */
bool unfold_carry(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  bool scc = i->op == AMD_OP_CARRY_SCC;
  unsigned from = scc ? 1 : 2;
  struct amd_value a, b, in = value_number(0);
  if (!unfold_read_word(u, p, &i->at[from], 0, &a) || !unfold_read_word(u, p, &i->at[from + 1], 0, &b)) return false;
  if (scc && i->fn2) in = p->regs[AMD_SCC].value;
  if (!scc && i->fn2) {
    struct amd_value first = a;
    a = b;
    b = first;
  }
  if (i->op == AMD_OP_CARRY_INOUT && !unfold_read_word(u, p, &i->at[4], 0, &in)) return false;
  if (in.kind == VALUE_NUMBER) in.number &= 1;
  struct amd_value carry, sum = value_carry(u, (enum amd_fn)i->fn, a, b, in, &carry);
  struct amd_wide low = {{sum, value_number(0)}}, mask = {{carry, value_number(0)}};
  if (!unfold_write_wide(u, p, &i->at[0], 1, low)) return false;
  if (!scc) return unfold_write_wide(u, p, &i->at[1], i->at[1].words, mask);
  p->regs[AMD_SCC].value = carry;
  return true;
}

bool unfold_mad_wide(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct amd_value a, b, carry, zero = value_number(0);
  struct amd_wide c, sum;
  if (!unfold_read_word(u, p, &i->at[2], 0, &a) || !unfold_read_word(u, p, &i->at[3], 0, &b) ||
      !unfold_read_wide(u, p, &i->at[4], 2, &c))
    return false;
  const struct amd_wide product = value_product(u, (enum amd_fn)i->fn, a, b);
  sum.at[0] = value_carry(u, AMD_ADD, product.at[0], c.at[0], zero, &carry);
  sum.at[1] = value_carry(u, AMD_ADD, product.at[1], c.at[1], carry, &carry);
  return unfold_write_wide(u, p, &i->at[0], 2, sum) &&
         unfold_write_wide(u, p, &i->at[1], i->at[1].words, (struct amd_wide){{carry, zero}});
}

static enum amd_fn without_sign(enum amd_fn fn) {
  return fn == AMD_LTI ? AMD_LTU : fn == AMD_LEI ? AMD_LEU : fn == AMD_GTI ? AMD_GTU : fn == AMD_GEI ? AMD_GEU : fn;
}

static enum amd_fn strictly(enum amd_fn fn) {
  return fn == AMD_LEU ? AMD_LTU : fn == AMD_GEU ? AMD_GTU : fn == AMD_LEI ? AMD_LTI : fn == AMD_GEI ? AMD_GTI : fn;
}

/* Whether fn holds of two words each. */
static struct amd_value compare_wide(struct amd_unfolding *u, enum amd_fn fn, struct amd_wide a, struct amd_wide b) {
  struct amd_value zero = value_number(0), same = value_combine(u, AMD_EQ, a.at[1], b.at[1]);
  if (fn == AMD_EQ || fn == AMD_NE) {
    struct amd_wide other = value_combine_wide(u, AMD_XOR, 2, a, b);
    return value_combine(u, fn, value_combine(u, AMD_OR, other.at[0], other.at[1]), zero);
  }
  struct amd_value below = value_combine(u, without_sign(fn), a.at[0], b.at[0]);
  return value_combine(u, AMD_OR, value_combine(u, strictly(fn), a.at[1], b.at[1]),
                       value_combine(u, AMD_AND, same, below));
}

bool unfold_compare(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  unsigned from = i->op == AMD_OP_COMPARE ? 1 : 0;
  struct amd_wide a, b;
  bool truth = false;
  bool reads = i->op == AMD_OP_COMPARE_SCC || unfold_lane_active(p);
  if (reads) {
    if (!unfold_read_wide(u, p, &i->at[from], i->words, &a) || !unfold_read_wide(u, p, &i->at[from + 1], i->words, &b))
      return false;
    if (i->words == 2) {
      a.at[0] = compare_wide(u, (enum amd_fn)i->fn, a, b);
      b.at[0] = value_number(0);
    }
    if (i->fn2) { /* of floats: a > b is b < a */
      struct amd_wide first = a;
      a = b;
      b = first;
    }
    if (!unfold_decide(u, p, i->words == 2 ? AMD_NE : (enum amd_fn)i->fn, a.at[0], b.at[0], &truth)) return false;
  }
  struct amd_wide mask = {{value_number(truth), value_number(0)}};
  if (i->op == AMD_OP_COMPARE) return unfold_write_wide(u, p, &i->at[0], i->at[0].words, mask);
  if (i->count == 3 && !unfold_write_wide(u, p, &i->at[2], i->at[2].words, mask)) return false;
  p->regs[i->op == AMD_OP_COMPARE_EXEC ? AMD_EXEC : AMD_SCC].value = value_number(truth);
  return true;
}

bool unfold_test_bit(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct amd_wide a, b;
  if (!unfold_read_wide(u, p, &i->at[0], i->words, &a) || !unfold_read_wide(u, p, &i->at[1], 1, &b)) return false;
  struct amd_value bit = value_combine_wide(u, AMD_SHR, i->words, a, b).at[0];
  bit = value_combine(u, AMD_AND, bit, value_number(1));
  p->regs[AMD_SCC].value = value_combine(u, AMD_XOR, bit, value_number(i->fn));
  return true;
}

bool unfold_save_exec(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct amd_wide a, exec = {{p->regs[AMD_EXEC].value, p->regs[AMD_EXEC + 1].value}};
  if (!unfold_read_wide(u, p, &i->at[1], i->words, &a)) return false;
  struct amd_wide result = binary(u, i, a, exec);
  bool bit = false;
  if (!unfold_mask_bit(u, p, &result.at[0], &bit) || !unfold_write_wide(u, p, &i->at[0], i->words, exec)) return false;
  p->regs[AMD_EXEC].value = result.at[0];
  return set_scc(u, p, result, 1);
}
