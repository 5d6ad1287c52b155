/* SPDX-License-Identifier: MIT */
/* Instructions that compute: element by element, each by a row of a table. */
#include <float.h>
#include <math.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/base/number.h"
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

/* ---- elements ---- */

static struct scalar is_not(struct work_item *w, struct scalar a) {
  return scalar_apply(w->arena, EXPR_LNOT, a, scalar_known(0));
}

static const struct kernel_type *leaf_type(const struct kernel_type *type) {
  while (type->kind == TYPE_VECTOR || type->kind == TYPE_ARRAY) type = type->element;
  return type;
}

/* A result as its type keeps it. */
static struct scalar kept(struct work_item *w, const struct kernel_type *type, struct scalar a) {
  if (type->kind == TYPE_FLOAT) return scalar_narrowed(w->arena, type->bits, a);
  return scalar_fit(w->arena, type->kind == TYPE_BOOL ? 64 : type->bits, a);
}

static struct scalar apply_row(struct work_item *w, const struct row *row, const struct kernel_type *to,
                               const struct kernel_type *from, struct scalar a, struct scalar b) {
  if (row->reading == UNSIGNED) {
    a = scalar_unsigned(w->arena, from->bits, a);
    b = scalar_unsigned(w->arena, from->bits, b);
  }
  if (row->reading == FLOATING)
    a = scalar_widened(w->arena, from->bits, a), b = scalar_widened(w->arena, from->bits, b);
  struct scalar result = row->swap ? scalar_apply(w->arena, row->kind, b, a) : scalar_apply(w->arena, row->kind, a, b);
  if (row->negate) return is_not(w, result);
  return kept(w, to, result);
}

static const struct row *binary_row(uint16_t opcode) {
  for (size_t i = 0; i < sizeof binary_rows / sizeof *binary_rows; i++)
    if (binary_rows[i].opcode == opcode) return &binary_rows[i];
  return NULL;
}

struct scalar compute_binary(struct work_item *w, uint16_t opcode, const struct kernel_type *to,
                             const struct kernel_type *from, struct scalar a, struct scalar b) {
  return apply_row(w, binary_row(opcode), to, from, a, b);
}

/* Values of an operand, with free ones for those that nothing has set. */
static const struct scalar *operand(struct work_item *w, uint32_t id, unsigned count, const struct kernel_type **type) {
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
  const struct row *row = binary_row(inst->opcode);
  if (!row) return false;
  const struct kernel_type *to = result_type(w), *from;
  const struct scalar *a = operand(w, inst->operands[0], to->leaves, &from),
                      *b = a ? operand(w, inst->operands[1], to->leaves, NULL) : NULL;
  if (!b) return true;
  struct scalar *result = new_result(w);
  for (unsigned i = 0; i < to->leaves; i++) {
    struct scalar right = b[i];
    if (row->kind == EXPR_SHL || row->kind == EXPR_SHR) right = scalar_unsigned(w->arena, 6, right);
    result[i] = apply_row(w, row, leaf_type(to), leaf_type(from), a[i], right);
    if (row->kind == EXPR_ADD || row->kind == EXPR_SUB) result[i] = still_in(result[i], a[i]);
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
                whole = kept(w, to, scalar_apply(arena, plain ? EXPR_FTOU : EXPR_FTO, x, scalar_known(0)));
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
  struct scalar result = kept(w, to, x);
  bool exact = from->kind == TYPE_FLOAT || from->bits < 64;
  if (mode <= 0 || (exact && x.kind == SCALAR_KNOWN && scalar_same(scalar_widened(w->arena, to->bits, result), x)))
    return result;
  return item_free_value(w);
}

static struct scalar convert(struct work_item *w, uint16_t opcode, const struct kernel_type *to,
                             const struct kernel_type *from, struct scalar a) {
  struct arena *arena = w->arena;
  struct scalar zero = scalar_known(0);
  switch (opcode) {
    case SpvOpSNegate:
      return kept(w, to, scalar_apply(arena, EXPR_NEG, a, zero));
    case SpvOpNot:
      return scalar_apply(arena, EXPR_NOT, a, zero);
    case SpvOpLogicalNot:
      return is_not(w, a);
    case SpvOpFNegate:
      return negated_float(w, from, a);
    case SpvOpUConvert:
    case SpvOpConvertPtrToU:
      return kept(w, to, scalar_unsigned(arena, from->bits, a));
    case SpvOpConvertUToPtr:
      return still_in(kept(w, to, scalar_unsigned(arena, from->bits, a)), a);
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
      return to->kind == TYPE_INT ? still_in(kept(w, to, a), a) : a;
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
  const struct scalar *a = operand(w, inst->operands[0], to->leaves, &from);
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
  const struct scalar *a = operand(w, inst->operands[0], 0, &from);
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
  const struct scalar *whole = operand(w, inst->operands[0], 1, &type);
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
  const struct scalar *condition = operand(w, inst->operands[0], 1, &by);
  const struct scalar *a = operand(w, inst->operands[1], type->leaves, NULL),
                      *b = operand(w, inst->operands[2], type->leaves, NULL);
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

/* Counts modulo the number of bits are for whoever shifts too far, which is undefined. */
static struct scalar shift_right(struct work_item *w, const struct kernel_type *type, struct scalar a,
                                 struct scalar b) {
  if (type->bits < 64)
    return kept(w, type, scalar_apply(w->arena, EXPR_SHR, scalar_unsigned(w->arena, type->bits, a), b));
  struct scalar mask =
      scalar_apply(w->arena, EXPR_SHL, scalar_known(-1), scalar_apply(w->arena, EXPR_SUB, scalar_known(64), b));
  struct scalar shifted = scalar_apply(w->arena, EXPR_AND, scalar_apply(w->arena, EXPR_SHR, a, b),
                                       scalar_apply(w->arena, EXPR_NOT, mask, scalar_known(0)));
  return scalar_choose(w->arena, scalar_apply(w->arena, EXPR_EQ, b, scalar_known(0)), a, shifted);
}

/* The sign of a remainder is that of the divisor. */
static struct scalar signed_modulo(struct work_item *w, struct scalar a, struct scalar b) {
  struct arena *arena = w->arena;
  struct scalar rest = scalar_apply(arena, EXPR_MOD, a, b), zero = scalar_known(0);
  struct scalar differs = scalar_apply(arena, EXPR_LT, scalar_apply(arena, EXPR_XOR, rest, b), zero);
  struct scalar moved = scalar_apply(arena, EXPR_ADD, rest, b);
  return scalar_choose(arena, scalar_apply(arena, EXPR_LAND, differs, scalar_apply(arena, EXPR_NE, rest, zero)), moved,
                       rest);
}

/* !(a < b), where either may be no number. */
static struct scalar ordered_at_most(struct work_item *w, struct scalar a, struct scalar b) {
  return scalar_apply(w->arena, EXPR_LOR, scalar_apply(w->arena, EXPR_FLT, a, b),
                      scalar_apply(w->arena, EXPR_FEQ, a, b));
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
  return scalar_apply(w->arena, EXPR_LAND, number, is_not(w, is_infinite(w, x)));
}

static struct scalar is_normal(struct work_item *w, const struct kernel_type *type, struct scalar x) {
  const double least = type->bits == 16 ? 0x1p-14 : type->bits == 32 ? (double)FLT_MIN : DBL_MIN;
  const double ends[] = {least, -least};
  int64_t bits[2];
  memcpy(bits, ends, sizeof bits);
  struct scalar small = scalar_apply(w->arena, EXPR_LAND, scalar_apply(w->arena, EXPR_FLT, x, scalar_known(bits[0])),
                                     scalar_apply(w->arena, EXPR_FLT, scalar_known(bits[1]), x));
  return scalar_apply(w->arena, EXPR_LAND, is_finite(w, x), is_not(w, small));
}

static bool eval_dot(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  if (inst->opcode != SpvOpDot) return false;
  const struct kernel_type *to = result_type(w), *from;
  const struct scalar *a = operand(w, inst->operands[0], 1, &from), *b = operand(w, inst->operands[1], 1, NULL);
  struct scalar sum = scalar_known(0);
  for (unsigned i = 0; a && b && i < from->leaves; i++) {
    struct scalar product = scalar_apply(w->arena, EXPR_FMUL, scalar_widened(w->arena, to->bits, a[i]),
                                         scalar_widened(w->arena, to->bits, b[i]));
    sum =
        kept(w, to, i ? scalar_apply(w->arena, EXPR_FADD, scalar_widened(w->arena, to->bits, sum), product) : product);
  }
  item_define_one(w, inst->result, sum);
  return true;
}

static bool eval_special(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  uint16_t op = inst->opcode;
  bool special = op == SpvOpBitCount || op == SpvOpShiftRightLogical || op == SpvOpSMod ||
                 op == SpvOpFOrdLessThanEqual || op == SpvOpFOrdGreaterThanEqual || op == SpvOpFOrdNotEqual ||
                 op == SpvOpIsNan || op == SpvOpIsInf || op == SpvOpIsFinite || op == SpvOpIsNormal ||
                 op == SpvOpSignBitSet;
  if (!special) return false;
  const struct kernel_type *to = result_type(w), *from;
  const struct scalar *a = operand(w, inst->operands[0], to->leaves, &from);
  const struct scalar *b = inst->operand_count > 1 ? operand(w, inst->operands[1], to->leaves, NULL) : a;
  if (!a || !b) return true;
  struct scalar *result = new_result(w);
  const struct kernel_type *leaf = leaf_type(from);
  for (unsigned i = 0; i < to->leaves; i++) {
    struct scalar x = leaf->kind == TYPE_FLOAT ? scalar_widened(w->arena, leaf->bits, a[i]) : a[i];
    struct scalar y = leaf->kind == TYPE_FLOAT ? scalar_widened(w->arena, leaf->bits, b[i]) : b[i];
    struct scalar less = scalar_apply(w->arena, EXPR_FLT, x, y), more = scalar_apply(w->arena, EXPR_FLT, y, x);
    if (op == SpvOpBitCount) result[i] = bit_count(w, leaf->bits, x);
    if (op == SpvOpShiftRightLogical) result[i] = shift_right(w, leaf, x, y);
    if (op == SpvOpSMod) result[i] = signed_modulo(w, x, y);
    if (op == SpvOpFOrdLessThanEqual) result[i] = ordered_at_most(w, x, y);
    if (op == SpvOpFOrdGreaterThanEqual) result[i] = ordered_at_most(w, y, x);
    if (op == SpvOpFOrdNotEqual) result[i] = scalar_apply(w->arena, EXPR_LOR, less, more);
    if (op == SpvOpIsInf) result[i] = is_infinite(w, x);
    if (op == SpvOpIsFinite) result[i] = is_finite(w, x);
    if (op == SpvOpIsNormal) result[i] = is_normal(w, leaf, x);
    if (op == SpvOpSignBitSet) result[i] = scalar_apply(w->arena, EXPR_LT, a[i], scalar_known(0));
    if (op == SpvOpIsNan) result[i] = is_not(w, scalar_apply(w->arena, EXPR_FEQ, x, x));
  }
  define(w, result);
  return true;
}

/* A pair: the result, and what is carried. */
static bool eval_carry(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  if (inst->opcode != SpvOpIAddCarry && inst->opcode != SpvOpISubBorrow) return false;
  const struct kernel_type *type;
  const struct scalar *a = operand(w, inst->operands[0], 1, &type), *b = operand(w, inst->operands[1], 1, NULL);
  if (!a || !b || !type_is_scalar(type) || result_type(w)->leaves != 2) {
    module_fail(&w->k->module, inst, "%s of vectors is not supported", module_opcode_name(inst));
    return true;
  }
  bool add = inst->opcode == SpvOpIAddCarry;
  struct scalar pair[2] = {kept(w, type, scalar_apply(w->arena, add ? EXPR_ADD : EXPR_SUB, a[0], b[0]))};
  pair[1] = add ? scalar_apply(w->arena, EXPR_ULT, pair[0], a[0]) : scalar_apply(w->arena, EXPR_ULT, a[0], b[0]);
  define(w, pair);
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
  return eval_binary(w) || eval_unary(w) || eval_composite(w) || eval_bitcast(w) || eval_special(w) || eval_dot(w) ||
         eval_carry(w) || eval_extended(w);
}
