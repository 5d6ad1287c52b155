/* SPDX-License-Identifier: MIT */
/* Instructions that compute, element by element. */
#include <float.h>
#include <math.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/number.h"
#include "checker/spirv/kernel_internal.h"

/* ---- elements ---- */

static const struct kernel_type *leaf_type(const struct kernel_type *type) {
  while (type->kind == TYPE_VECTOR || type->kind == TYPE_ARRAY) type = type->element;
  return type;
}

const struct scalar *compute_operand(struct work_item *w, uint32_t id, unsigned count,
                                     const struct kernel_type **type) {
  struct value value = item_value(w, id);
  if (!value.at || value.type->leaves < count) {
    module_fail(&w->k->module, item_inst(w), "an operand is of another type than the result");
    return NULL;
  }
  struct scalar *scalars = ARENA_COPY(w->scratch, struct scalar, value.at, value.type->leaves);
  for (unsigned i = 0; i < value.type->leaves; i++)
    if (scalars[i].kind == SCALAR_UNSET) scalars[i] = item_free_value(w);
  if (type) *type = value.type;
  return scalars;
}

static const struct kernel_type *result_type(struct work_item *w) {
  return types_get(&w->k->types, item_inst(w)->type);
}

static struct scalar *new_result(struct work_item *w) {
  return ARENA_ARRAY(w->scratch, struct scalar, result_type(w)->leaves + 1u);
}

static void define(struct work_item *w, const struct scalar *result) {
  item_define(w, item_inst(w)->result, result, result_type(w)->leaves);
}

/* The object that arithmetic on a pointer stays in. */
static struct scalar still_in(struct scalar result, struct scalar from) {
  if (result.kind == SCALAR_HELD) result.object = from.object;
  return result;
}

static bool eval_binary(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  uint16_t opcode = inst->opcode;
  if (!compute_has_binary(opcode)) return false;
  const struct kernel_type *to = result_type(w), *from;
  const struct scalar *a = compute_operand(w, inst->operands[0], to->leaves, &from),
                      *b = a ? compute_operand(w, inst->operands[1], to->leaves, NULL) : NULL;
  if (!b) return true;
  struct scalar *result = new_result(w);
  for (unsigned i = 0; i < to->leaves; i++) {
    struct scalar right = b[i];
    if (opcode == SpvOpShiftLeftLogical || opcode == SpvOpShiftRightArithmetic)
      right = scalar_unsigned(w->arena, 6, right);
    result[i] = compute_binary(w->arena, opcode, leaf_type(to), leaf_type(from), a[i], right);
    if (opcode == SpvOpIAdd || opcode == SpvOpISub) result[i] = still_in(result[i], a[i]);
  }
  define(w, result);
  return true;
}

/* ---- one operand ---- */

static struct scalar negated_float(struct work_item *w, const struct kernel_type *type, struct scalar a) {
  struct scalar sign = scalar_known(INT64_MIN >> (64 - type->bits));
  return scalar_apply(w->arena, EXPR_XOR, a, sign);
}

static int64_t decoration(const struct work_item *w, uint32_t which) {
  return types_decoration(&w->k->types, item_inst(w)->result, -1, which);
}

static struct scalar known_float(double value) {
  return scalar_known(bits_of_double(value));
}

/* The float x, rounded as the instruction says, as an integer: of one that does not fit the bound that is next to it if
 * that is asked for, and any value if not.  How those are rounded that only a run knows is said of the usual way alone.
 */
static struct scalar whole_number(struct work_item *w, bool plain, const struct kernel_type *to, struct scalar x) {
  static double (*const by_mode[])(double) = {rint, trunc, ceil, floor}; /* as SpvFPRoundingMode numbers them */
  struct arena *arena = w->arena;
  int64_t mode = decoration(w, SpvDecorationFPRoundingMode);
  bool usual = mode < 0 || mode > 3 || mode == SpvFPRoundingModeRTZ, known = x.kind == SCALAR_KNOWN;
  if (!usual && !known) return item_free_value(w);
  if (!usual) x = known_float(by_mode[mode](double_of_bits(x.value)));
  double top = ldexp(1, (int)to->bits - !plain), low = plain ? 0 : -top;
  struct scalar below = scalar_apply(arena, EXPR_FLT, x, known_float(top)),
                under = scalar_apply(arena, EXPR_FLT, x, known_float(low)),
                number = scalar_apply(arena, EXPR_FEQ, x, x),
                whole =
                    compute_kept(w->arena, to, scalar_apply(arena, plain ? EXPR_FTOU : EXPR_FTO, x, scalar_known(0)));
  if (decoration(w, SpvDecorationSaturatedConversion) >= 0) {
    struct scalar most = scalar_known(plain ? -1 : INT64_MAX >> (64 - to->bits));
    struct scalar least = scalar_known(plain ? 0 : INT64_MIN >> (64 - to->bits));
    whole = scalar_choose(arena, below, scalar_choose(arena, under, least, whole), most);
    return scalar_choose(arena, number, whole, scalar_known(0));
  }
  bool cut_to_least = known && trunc(double_of_bits(x.value)) >= low;
  return known && !(below.value && cut_to_least) ? item_free_value(w) : whole;
}

/* The float x in the type: rounded in another way than the usual one, any value if it is not exact. */
static struct scalar float_of(struct work_item *w, const struct kernel_type *to, const struct kernel_type *from,
                              struct scalar x) {
  int64_t mode = decoration(w, SpvDecorationFPRoundingMode);
  struct scalar result = compute_kept(w->arena, to, x);
  bool exact = from->kind == TYPE_FLOAT || from->bits < 64;
  if (mode <= 0 || (exact && x.kind == SCALAR_KNOWN && scalar_same(scalar_widened(w->arena, to->bits, result), x)))
    return result;
  return item_free_value(w);
}

static struct scalar convert(struct work_item *w, uint16_t opcode, const struct kernel_type *to,
                             const struct kernel_type *from, struct scalar a) {
  struct arena *arena = w->arena;
  struct scalar zero = scalar_known(0);
  if (compute_unary(arena, opcode, to, from, &a)) return a;
  switch (opcode) {
    case SpvOpFNegate:
      return negated_float(w, from, a);
    case SpvOpConvertUToPtr:
      return still_in(compute_kept(w->arena, to, scalar_unsigned(arena, from->bits, a)), a);
    case SpvOpConvertSToF:
      return float_of(w, to, from, scalar_apply(arena, EXPR_FFROM, a, zero));
    case SpvOpConvertUToF:
      return float_of(w, to, from, scalar_apply(arena, EXPR_FFROMU, scalar_unsigned(arena, from->bits, a), zero));
    case SpvOpConvertFToS:
    case SpvOpConvertFToU:
      return whole_number(w, opcode == SpvOpConvertFToU, to, scalar_widened(arena, from->bits, a));
    case SpvOpFConvert:
      return float_of(w, to, from, scalar_widened(arena, from->bits, a));
    default: /* SConvert, and what changes nothing */
      return to->kind == TYPE_INT ? still_in(compute_kept(w->arena, to, a), a) : a;
  }
}

static bool is_conversion(uint16_t opcode) {
  return opcode == SpvOpSNegate || opcode == SpvOpNot || opcode == SpvOpLogicalNot || opcode == SpvOpFNegate ||
         opcode == SpvOpUConvert || opcode == SpvOpSConvert || opcode == SpvOpFConvert ||
         opcode == SpvOpConvertPtrToU || opcode == SpvOpConvertUToPtr || opcode == SpvOpConvertSToF ||
         opcode == SpvOpConvertUToF || opcode == SpvOpConvertFToS || opcode == SpvOpConvertFToU ||
         opcode == SpvOpPtrCastToGeneric || opcode == SpvOpGenericCastToPtr ||
         opcode == SpvOpGenericCastToPtrExplicit || opcode == SpvOpCopyObject || opcode == SpvOpCopyLogical;
}

/* to_local() and the like: null, where the pointer is to memory of another storage class. */
static struct scalar cast_explicitly(struct work_item *w, struct scalar a) {
  const struct inst *inst = item_inst(w);
  int64_t index = a.kind == SCALAR_HELD ? (int64_t)a.object - 1 : (a.value >> w->k->shift) - 1;
  const struct memory *object = index >= 0 ? place_object(w, (size_t)index) : NULL;
  bool known = a.kind == SCALAR_KNOWN || (a.kind == SCALAR_HELD && a.object);
  return known && object && object->storage != inst->operands[1] ? scalar_known(0) : a;
}

static bool eval_unary(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  if (!is_conversion(inst->opcode)) return false;
  const struct kernel_type *to = result_type(w), *from;
  const struct scalar *a = compute_operand(w, inst->operands[0], to->leaves, &from);
  if (!a) return true;
  struct scalar *result = new_result(w);
  bool copies = inst->opcode == SpvOpCopyObject || inst->opcode == SpvOpCopyLogical;
  if (inst->opcode == SpvOpGenericCastToPtrExplicit) result[0] = cast_explicitly(w, a[0]);
  for (unsigned i = 0; i < to->leaves && inst->opcode != SpvOpGenericCastToPtrExplicit; i++)
    result[i] = copies ? a[i] : convert(w, inst->opcode, leaf_type(to), leaf_type(from), a[i]);
  define(w, result);
  return true;
}

/* Bits are cut into elements, or put together, lowest first. */
static bool eval_bitcast(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  const struct kernel_type *to = result_type(w), *from;
  if (inst->opcode != SpvOpBitcast) return false;
  const struct scalar *a = compute_operand(w, inst->operands[0], 0, &from);
  if (!a) return true;
  struct scalar *result = new_result(w);
  unsigned to_bits = leaf_type(to)->bits, from_bits = leaf_type(from)->bits;
  if (to_bits * to->leaves != from_bits * from->leaves || !to_bits || !from_bits) {
    module_fail(&w->k->module, inst, "OpBitcast between types of different size");
    return true;
  }
  for (unsigned i = 0; i < to->leaves; i++) {
    struct scalar bits = scalar_known(0);
    unsigned at = i * to_bits / from_bits, parts = to_bits > from_bits ? to_bits / from_bits : 1;
    if (to_bits == from_bits) {
      result[i] = a[i];
      continue;
    }
    for (unsigned p = 0; p < parts; p++) {
      struct scalar part = scalar_unsigned(w->arena, from_bits, a[at + p]);
      bits = scalar_apply(w->arena, EXPR_OR, bits,
                          scalar_apply(w->arena, EXPR_SHL, part, scalar_known((int64_t)p * from_bits)));
    }
    int64_t shift = to_bits < from_bits ? (int64_t)(i * to_bits % from_bits) : 0;
    result[i] = scalar_fit(w->arena, to_bits, scalar_apply(w->arena, EXPR_SHR, bits, scalar_known(shift)));
  }
  define(w, result);
  return true;
}

/* ---- composites ---- */

/* The part that literal indices name; NULL: none, and an error was added. */
static const struct kernel_type *find_part(struct work_item *w, const struct kernel_type *type, unsigned first,
                                           unsigned *leaf) {
  const struct inst *inst = item_inst(w);
  *leaf = 0;
  for (unsigned i = first; i < inst->operand_count && type; i++) type = type_part(type, inst->operands[i], NULL, leaf);
  if (!type) module_fail(&w->k->module, inst, "%s names no element", module_opcode_name(inst));
  return type;
}

static void eval_extract(struct work_item *w) {
  struct value whole = item_value(w, item_inst(w)->operands[0]);
  unsigned leaf;
  const struct kernel_type *part = whole.at ? find_part(w, whole.type, 1, &leaf) : NULL;
  if (part) item_define(w, item_inst(w)->result, whole.at + leaf, part->leaves);
}

static void eval_insert(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  struct value part = item_value(w, inst->operands[0]), whole = item_value(w, inst->operands[1]);
  unsigned leaf;
  if (!part.at || !whole.at || !find_part(w, whole.type, 2, &leaf)) return;
  struct scalar *result = new_result(w);
  memcpy(result, whole.at, whole.type->leaves * sizeof *result);
  for (unsigned i = 0; i < part.type->leaves && leaf + i < whole.type->leaves; i++) result[leaf + i] = part.at[i];
  define(w, result);
}

static void eval_construct(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  struct scalar *result = new_result(w);
  unsigned at = 0, leaves = result_type(w)->leaves;
  for (unsigned i = 0; i < inst->operand_count; i++) {
    struct value part = item_value(w, inst->operands[i]);
    for (unsigned j = 0; part.at && j < part.type->leaves && at < leaves; j++) result[at++] = part.at[j];
  }
  define(w, result);
}

static void eval_shuffle(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  struct value a = item_value(w, inst->operands[0]), b = item_value(w, inst->operands[1]);
  struct scalar *result = new_result(w);
  if (!a.at || !b.at) return;
  for (unsigned i = 2; i < inst->operand_count && i - 2 < result_type(w)->leaves; i++) {
    uint32_t from = inst->operands[i];
    if (from < a.type->leaves)
      result[i - 2] = a.at[from];
    else if (from - a.type->leaves < b.type->leaves)
      result[i - 2] = b.at[from - a.type->leaves];
  }
  define(w, result);
}

/* An element by an index that may not be known. */
static void eval_dynamic(struct work_item *w, bool insert) {
  const struct inst *inst = item_inst(w);
  const struct kernel_type *type;
  const struct scalar *whole = compute_operand(w, inst->operands[0], 1, &type);
  struct scalar index = item_scalar(w, inst->operands[insert ? 2 : 1]);
  struct scalar part = insert ? item_scalar(w, inst->operands[1]) : scalar_known(0);
  if (!whole) return;
  struct scalar *result = new_result(w), chosen = whole[0];
  for (unsigned i = 0; i < type->leaves; i++) {
    struct scalar here = scalar_apply(w->arena, EXPR_EQ, index, scalar_known(i));
    if (insert) result[i] = scalar_choose(w->arena, here, part, whole[i]);
    if (i) chosen = scalar_choose(w->arena, here, whole[i], chosen);
  }
  if (!insert) result[0] = chosen;
  define(w, result);
}

static void eval_select(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  const struct kernel_type *type = result_type(w), *by;
  const struct scalar *condition = compute_operand(w, inst->operands[0], 1, &by);
  const struct scalar *a = compute_operand(w, inst->operands[1], type->leaves, NULL),
                      *b = compute_operand(w, inst->operands[2], type->leaves, NULL);
  if (!condition || !a || !b) return;
  struct scalar *result = new_result(w);
  for (unsigned i = 0; i < type->leaves; i++)
    result[i] = scalar_choose(w->arena, condition[by->leaves == type->leaves ? i : 0], a[i], b[i]);
  define(w, result);
}

/* ---- the rest ---- */

static struct scalar bit_count(struct work_item *w, unsigned bits, struct scalar a) {
  struct scalar count = scalar_known(0);
  for (unsigned i = 0; i < bits; i++) {
    struct scalar bit =
        scalar_apply(w->arena, EXPR_AND, scalar_apply(w->arena, EXPR_SHR, a, scalar_known(i)), scalar_known(1));
    count = scalar_apply(w->arena, EXPR_ADD, count, bit);
  }
  return count;
}

/* Halves change places, then halves of these, and so on. */
static struct scalar bits_reversed(struct work_item *w, unsigned bits, struct scalar a) {
  struct arena *arena = w->arena;
  uint64_t mask = UINT64_MAX >> (64 - bits);
  struct scalar word = scalar_unsigned(arena, bits, a);
  for (unsigned half = bits / 2; half; half /= 2) {
    mask ^= mask << half; /* of every two halves the lower one */
    mask &= UINT64_MAX >> (64 - bits);
    struct scalar lower = scalar_known((int64_t)mask), by = scalar_known(half);
    struct scalar up = scalar_apply(arena, EXPR_SHL, scalar_apply(arena, EXPR_AND, word, lower), by),
                  down = scalar_apply(arena, EXPR_AND, scalar_apply(arena, EXPR_SHR, word, by), lower);
    word = scalar_apply(arena, EXPR_OR, up, down);
  }
  return scalar_fit(arena, bits, word);
}

/* !(a < b), where either may be no number. */
static struct scalar ordered_at_most(struct work_item *w, struct scalar a, struct scalar b) {
  return scalar_apply(w->arena, EXPR_LOR, scalar_apply(w->arena, EXPR_FLT, a, b),
                      scalar_apply(w->arena, EXPR_FEQ, a, b));
}

static struct scalar are_numbers(struct work_item *w, struct scalar a, struct scalar b) {
  return scalar_apply(w->arena, EXPR_LAND, scalar_apply(w->arena, EXPR_FEQ, a, a),
                      scalar_apply(w->arena, EXPR_FEQ, b, b));
}

/* Comparisons of a float with the infinities. */
static struct scalar is_infinite(struct work_item *w, struct scalar x) {
  const double ends[] = {INFINITY, -INFINITY};
  struct scalar equal[2];
  for (unsigned i = 0; i < 2; i++)
    equal[i] = scalar_apply(w->arena, EXPR_FEQ, x, scalar_known(bits_of_double(ends[i])));
  return scalar_apply(w->arena, EXPR_LOR, equal[0], equal[1]);
}

static struct scalar is_finite(struct work_item *w, struct scalar x) {
  struct scalar number = scalar_apply(w->arena, EXPR_FEQ, x, x);
  return scalar_apply(w->arena, EXPR_LAND, number, compute_not(w->arena, is_infinite(w, x)));
}

static struct scalar is_normal(struct work_item *w, const struct kernel_type *type, struct scalar x) {
  const double least = type->bits == 16 ? 0x1p-14 : type->bits == 32 ? (double)FLT_MIN : DBL_MIN;
  const double ends[] = {least, -least};
  int64_t bits[2];
  memcpy(bits, ends, sizeof bits);
  struct scalar small = scalar_apply(w->arena, EXPR_LAND, scalar_apply(w->arena, EXPR_FLT, x, scalar_known(bits[0])),
                                     scalar_apply(w->arena, EXPR_FLT, scalar_known(bits[1]), x));
  return scalar_apply(w->arena, EXPR_LAND, is_finite(w, x), compute_not(w->arena, small));
}

/* The remainder of floats that are known, with the sign of the divisor if `floors`; of others, any value. */
static struct scalar float_remainder(struct work_item *w, const struct kernel_type *type, bool floors, struct scalar x,
                                     struct scalar y) {
  if (x.kind != SCALAR_KNOWN || y.kind != SCALAR_KNOWN) return item_free_value(w);
  double by = double_of_bits(y.value), rest = fmod(double_of_bits(x.value), by);
  if (floors && rest * by < 0) rest += by;
  return compute_kept(w->arena, type, known_float(rest));
}

static bool is_special(uint16_t opcode) {
  static const uint16_t all[] = {
      SpvOpBitCount,      SpvOpBitReverse,  SpvOpShiftRightLogical, SpvOpSMod,
      SpvOpFRem,          SpvOpFMod,        SpvOpFOrdLessThanEqual, SpvOpFOrdGreaterThanEqual,
      SpvOpFOrdNotEqual,  SpvOpFUnordEqual, SpvOpFUnordLessThan,    SpvOpFUnordGreaterThan,
      SpvOpLessOrGreater, SpvOpOrdered,     SpvOpUnordered,         SpvOpIsNan,
      SpvOpIsInf,         SpvOpIsFinite,    SpvOpIsNormal,          SpvOpSignBitSet};
  for (size_t i = 0; i < ARRAY_COUNT(all); i++)
    if (all[i] == opcode) return true;
  return false;
}

static bool eval_special(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  uint16_t op = inst->opcode;
  if (!is_special(op)) return false;
  const struct kernel_type *to = result_type(w), *from;
  const struct scalar *a = compute_operand(w, inst->operands[0], to->leaves, &from);
  const struct scalar *b = inst->operand_count > 1 ? compute_operand(w, inst->operands[1], to->leaves, NULL) : a;
  if (!a || !b) return true;
  struct scalar *result = new_result(w);
  const struct kernel_type *leaf = leaf_type(from);
  for (unsigned i = 0; i < to->leaves; i++) {
    struct scalar x = leaf->kind == TYPE_FLOAT ? scalar_widened(w->arena, leaf->bits, a[i]) : a[i];
    struct scalar y = leaf->kind == TYPE_FLOAT ? scalar_widened(w->arena, leaf->bits, b[i]) : b[i];
    struct scalar less = scalar_apply(w->arena, EXPR_FLT, x, y), more = scalar_apply(w->arena, EXPR_FLT, y, x);
    if (op == SpvOpBitCount) result[i] = bit_count(w, leaf->bits, x);
    if (op == SpvOpBitReverse) result[i] = bits_reversed(w, leaf->bits, x);
    if (op == SpvOpShiftRightLogical) result[i] = compute_shift_right(w->arena, leaf, x, y);
    if (op == SpvOpSMod) result[i] = compute_modulo(w->arena, x, y);
    if (op == SpvOpFOrdLessThanEqual) result[i] = ordered_at_most(w, x, y);
    if (op == SpvOpFOrdGreaterThanEqual) result[i] = ordered_at_most(w, y, x);
    if (op == SpvOpFOrdNotEqual || op == SpvOpLessOrGreater) result[i] = scalar_apply(w->arena, EXPR_LOR, less, more);
    if (op == SpvOpFUnordEqual) result[i] = compute_not(w->arena, scalar_apply(w->arena, EXPR_LOR, less, more));
    if (op == SpvOpFUnordLessThan) result[i] = compute_not(w->arena, ordered_at_most(w, y, x));
    if (op == SpvOpFUnordGreaterThan) result[i] = compute_not(w->arena, ordered_at_most(w, x, y));
    if (op == SpvOpOrdered) result[i] = are_numbers(w, x, y);
    if (op == SpvOpUnordered) result[i] = compute_not(w->arena, are_numbers(w, x, y));
    if (op == SpvOpFRem || op == SpvOpFMod) result[i] = float_remainder(w, leaf, op == SpvOpFMod, x, y);
    if (op == SpvOpIsInf) result[i] = is_infinite(w, x);
    if (op == SpvOpIsFinite) result[i] = is_finite(w, x);
    if (op == SpvOpIsNormal) result[i] = is_normal(w, leaf, x);
    if (op == SpvOpSignBitSet) result[i] = scalar_apply(w->arena, EXPR_LT, a[i], scalar_known(0));
    if (op == SpvOpIsNan) result[i] = compute_not(w->arena, scalar_apply(w->arena, EXPR_FEQ, x, x));
  }
  define(w, result);
  return true;
}

/* The lower and the upper half of a sum, a difference or a product; upper is the carry, or what is borrowed. */
static void compute_halves(struct work_item *w, uint16_t opcode, const struct kernel_type *type, struct scalar a,
                           struct scalar b, struct scalar *lower, struct scalar *upper) {
  struct arena *arena = w->arena;
  bool plain = opcode == SpvOpUMulExtended, add = opcode == SpvOpIAddCarry;
  if (add || opcode == SpvOpISubBorrow) {
    *lower = compute_kept(w->arena, type, scalar_apply(arena, add ? EXPR_ADD : EXPR_SUB, a, b));
    *upper = scalar_apply(arena, EXPR_ULT, add ? *lower : a, add ? a : b);
    return;
  }
  struct scalar x = plain ? scalar_unsigned(arena, type->bits, a) : a,
                y = plain ? scalar_unsigned(arena, type->bits, b) : b;
  struct scalar product = scalar_apply(arena, EXPR_MUL, x, y);
  *lower = compute_kept(w->arena, type, product);
  *upper = compute_kept(w->arena, type, scalar_apply(arena, EXPR_SHR, product, scalar_known(type->bits)));
}

/* Pairs of these halves. */
static bool eval_halves(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  bool product = inst->opcode == SpvOpUMulExtended || inst->opcode == SpvOpSMulExtended;
  if (!product && inst->opcode != SpvOpIAddCarry && inst->opcode != SpvOpISubBorrow) return false;
  unsigned count = result_type(w)->leaves / 2;
  const struct kernel_type *type;
  const struct scalar *a = compute_operand(w, inst->operands[0], count, &type),
                      *b = a ? compute_operand(w, inst->operands[1], count, NULL) : NULL;
  if (!b) return true;
  const struct kernel_type *leaf = leaf_type(type);
  struct scalar *pair = new_result(w);
  if (product && leaf->bits > 32)
    module_fail(&w->k->module, inst, "%s of 64 bits is not supported", module_opcode_name(inst));
  else
    for (unsigned i = 0; i < count; i++) compute_halves(w, inst->opcode, leaf, a[i], b[i], &pair[i], &pair[count + i]);
  define(w, pair);
  return true;
}

/* Bits of a word, taken out of it or replaced: so many from one on. */
static bool eval_bit_field(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  bool insert = inst->opcode == SpvOpBitFieldInsert, sign = inst->opcode == SpvOpBitFieldSExtract;
  if (!insert && !sign && inst->opcode != SpvOpBitFieldUExtract) return false;
  struct arena *arena = w->arena;
  const struct kernel_type *to = result_type(w), *leaf = leaf_type(to);
  const struct scalar *base = compute_operand(w, inst->operands[0], to->leaves, NULL),
                      *put = insert ? compute_operand(w, inst->operands[1], to->leaves, NULL) : base;
  if (!base || !put) return true;
  if (leaf->bits > 32) module_fail(&w->k->module, inst, "%s of 64 bits is not supported", module_opcode_name(inst));
  struct scalar from = item_scalar(w, inst->operands[insert + 1]), count = item_scalar(w, inst->operands[insert + 2]);
  struct scalar mask =
      scalar_apply(arena, EXPR_SUB, scalar_apply(arena, EXPR_SHL, scalar_known(1), count), scalar_known(1));
  struct scalar rest = scalar_apply(arena, EXPR_NOT, scalar_apply(arena, EXPR_SHL, mask, from), scalar_known(0));
  struct scalar above = scalar_apply(arena, EXPR_SUB, scalar_known(64), count);
  struct scalar *result = new_result(w);
  for (unsigned i = 0; i < to->leaves; i++) {
    struct scalar word = scalar_unsigned(arena, leaf->bits, base[i]);
    struct scalar field = scalar_apply(arena, EXPR_AND, scalar_apply(arena, EXPR_SHR, word, from), mask);
    if (insert) {
      field = scalar_apply(arena, EXPR_SHL, scalar_apply(arena, EXPR_AND, put[i], mask), from);
      field = scalar_apply(arena, EXPR_OR, scalar_apply(arena, EXPR_AND, word, rest), field);
    }
    if (sign) field = scalar_apply(arena, EXPR_SHR, scalar_apply(arena, EXPR_SHL, field, above), above);
    result[i] = compute_kept(w->arena, leaf, field);
  }
  define(w, result);
  return true;
}

static bool eval_composite(struct work_item *w) {
  switch (item_inst(w)->opcode) {
    case SpvOpCompositeExtract:
      eval_extract(w);
      return true;
    case SpvOpCompositeInsert:
      eval_insert(w);
      return true;
    case SpvOpCompositeConstruct:
      eval_construct(w);
      return true;
    case SpvOpVectorShuffle:
      eval_shuffle(w);
      return true;
    case SpvOpVectorExtractDynamic:
    case SpvOpVectorInsertDynamic:
      eval_dynamic(w, item_inst(w)->opcode == SpvOpVectorInsertDynamic);
      return true;
    case SpvOpSelect:
      eval_select(w);
      return true;
    default:
      return false;
  }
}

bool eval_compute(struct work_item *w) {
  return eval_binary(w) || eval_unary(w) || eval_composite(w) || eval_bitcast(w) || eval_special(w) || eval_halves(w) ||
         eval_bit_field(w) || eval_extended(w);
}
