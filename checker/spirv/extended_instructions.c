/* SPDX-License-Identifier: MIT */
/* Instructions of the extended sets OpenCL.std and GLSL.std.450, and those that mean nothing (NonSemantic).
 *
 * Functions that are exact are computed, and `mix` as the arithmetic that it stands for.  Others round as the device
 * likes (exp, sin, normalize): their result may be anything, so that no outcome is left out. */
#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.h>

#include "checker/base/number.h"
#include "checker/spirv/kernel_internal.h"

enum numeric {
  NONE,
  ABS,
  MIN,
  MAX,
  UMIN,
  UMAX,
  CLAMP,
  UCLAMP,
  ABS_DIFF,
  UABS_DIFF,
  MUL24,
  MAD24,
  SELECT,
  BITSELECT,
  CEIL,
  FLOOR,
  SQRT,
  FABS,
  FMIN,
  FMAX,
  FCLAMP,
  FMA,
  MAD,
  TRUNC,
  ROUND,
  ROUND_OPEN, /* ... in which direction from the middle, is open */
  RINT,
  FMOD,
  FDIM,
  COPYSIGN,
  FSIGN,
  FRACT,
  STEP,
  MIX,
  SIGN,
  UPSAMPLE,
  LOW_BIT,
  HIGH_BIT,
  SIGNED_HIGH_BIT,
  ANY,     /* of these the result may be anything, */
  ANY_TOO, /* and also what the last operand points to */
  VECTOR_ACCESS,
  SHUFFLE,
  PREFETCH,
  /* Not on 64 bits. */
  ADD_SAT,
  SUB_SAT,
  UADD_SAT,
  USUB_SAT,
  MAD_SAT,
  UMAD_SAT,
  MUL_HI,
  UMUL_HI,
  MAD_HI,
  UMAD_HI,
  HADD,
  UHADD,
  RHADD,
  URHADD,
  ROTATE,
  POPCOUNT,
  CLZ,
  CTZ
};

struct function_row {
  uint32_t number;
  enum numeric what;
};

static const struct function_row opencl_functions[] = {{OpenCLstd_SAbs, ABS},
                                                       {OpenCLstd_SMin, MIN},
                                                       {OpenCLstd_SMax, MAX},
                                                       {OpenCLstd_UMin, UMIN},
                                                       {OpenCLstd_UMax, UMAX},
                                                       {OpenCLstd_SAdd_sat, ADD_SAT},
                                                       {OpenCLstd_SSub_sat, SUB_SAT},
                                                       {OpenCLstd_UAdd_sat, UADD_SAT},
                                                       {OpenCLstd_USub_sat, USUB_SAT},
                                                       {OpenCLstd_SMad_sat, MAD_SAT},
                                                       {OpenCLstd_UMad_sat, UMAD_SAT},
                                                       {OpenCLstd_SMul_hi, MUL_HI},
                                                       {OpenCLstd_UMul_hi, UMUL_HI},
                                                       {OpenCLstd_SMad_hi, MAD_HI},
                                                       {OpenCLstd_UMad_hi, UMAD_HI},
                                                       {OpenCLstd_SHadd, HADD},
                                                       {OpenCLstd_UHadd, UHADD},
                                                       {OpenCLstd_SRhadd, RHADD},
                                                       {OpenCLstd_URhadd, URHADD},
                                                       {OpenCLstd_S_Upsample, UPSAMPLE},
                                                       {OpenCLstd_U_Upsample, UPSAMPLE},
                                                       {OpenCLstd_SClamp, CLAMP},
                                                       {OpenCLstd_UClamp, UCLAMP},
                                                       {OpenCLstd_SAbs_diff, ABS_DIFF},
                                                       {OpenCLstd_UAbs_diff, UABS_DIFF},
                                                       {OpenCLstd_SMul24, MUL24},
                                                       {OpenCLstd_UMul24, MUL24},
                                                       {OpenCLstd_SMad24, MAD24},
                                                       {OpenCLstd_UMad24, MAD24},
                                                       {OpenCLstd_Rotate, ROTATE},
                                                       {OpenCLstd_Popcount, POPCOUNT},
                                                       {OpenCLstd_Clz, CLZ},
                                                       {OpenCLstd_Ctz, CTZ},
                                                       {OpenCLstd_Select, SELECT},
                                                       {OpenCLstd_Bitselect, BITSELECT},
                                                       {OpenCLstd_Ceil, CEIL},
                                                       {OpenCLstd_Floor, FLOOR},
                                                       {OpenCLstd_Trunc, TRUNC},
                                                       {OpenCLstd_Round, ROUND},
                                                       {OpenCLstd_Rint, RINT},
                                                       {OpenCLstd_Fmod, FMOD},
                                                       {OpenCLstd_Fdim, FDIM},
                                                       {OpenCLstd_Copysign, COPYSIGN},
                                                       {OpenCLstd_Sign, FSIGN},
                                                       {OpenCLstd_Step, STEP},
                                                       {OpenCLstd_Mix, MIX},
                                                       {OpenCLstd_Sqrt, SQRT},
                                                       {OpenCLstd_Fabs, FABS},
                                                       {OpenCLstd_Fmin, FMIN},
                                                       {OpenCLstd_Fmax, FMAX},
                                                       {OpenCLstd_FMin_common, FMIN},
                                                       {OpenCLstd_FMax_common, FMAX},
                                                       {OpenCLstd_FClamp, FCLAMP},
                                                       {OpenCLstd_Fma, FMA},
                                                       {OpenCLstd_Mad, MAD},
                                                       {OpenCLstd_Fract, ANY_TOO},
                                                       {OpenCLstd_Frexp, ANY_TOO},
                                                       {OpenCLstd_Lgamma_r, ANY_TOO},
                                                       {OpenCLstd_Modf, ANY_TOO},
                                                       {OpenCLstd_Remquo, ANY_TOO},
                                                       {OpenCLstd_Sincos, ANY_TOO},
                                                       {OpenCLstd_Vloadn, VECTOR_ACCESS},
                                                       {OpenCLstd_Vstoren, VECTOR_ACCESS},
                                                       {OpenCLstd_Vload_half, VECTOR_ACCESS},
                                                       {OpenCLstd_Vload_halfn, VECTOR_ACCESS},
                                                       {OpenCLstd_Vstore_half, VECTOR_ACCESS},
                                                       {OpenCLstd_Vstore_half_r, VECTOR_ACCESS},
                                                       {OpenCLstd_Vstore_halfn, VECTOR_ACCESS},
                                                       {OpenCLstd_Vstore_halfn_r, VECTOR_ACCESS},
                                                       {OpenCLstd_Vloada_halfn, VECTOR_ACCESS},
                                                       {OpenCLstd_Vstorea_halfn, VECTOR_ACCESS},
                                                       {OpenCLstd_Vstorea_halfn_r, VECTOR_ACCESS},
                                                       {OpenCLstd_Shuffle, SHUFFLE},
                                                       {OpenCLstd_Prefetch, PREFETCH},
                                                       {0, NONE}};
static const struct function_row glsl_functions[] = {{GLSLstd450SAbs, ABS},
                                                     {GLSLstd450SMin, MIN},
                                                     {GLSLstd450SMax, MAX},
                                                     {GLSLstd450UMin, UMIN},
                                                     {GLSLstd450UMax, UMAX},
                                                     {GLSLstd450SClamp, CLAMP},
                                                     {GLSLstd450UClamp, UCLAMP},
                                                     {GLSLstd450SSign, SIGN},
                                                     {GLSLstd450FindILsb, LOW_BIT},
                                                     {GLSLstd450FindUMsb, HIGH_BIT},
                                                     {GLSLstd450FindSMsb, SIGNED_HIGH_BIT},
                                                     {GLSLstd450Ceil, CEIL},
                                                     {GLSLstd450Floor, FLOOR},
                                                     {GLSLstd450Trunc, TRUNC},
                                                     {GLSLstd450Round, ROUND_OPEN},
                                                     {GLSLstd450RoundEven, RINT},
                                                     {GLSLstd450FSign, FSIGN},
                                                     {GLSLstd450Fract, FRACT},
                                                     {GLSLstd450Step, STEP},
                                                     {GLSLstd450FMix, MIX},
                                                     {GLSLstd450Sqrt, SQRT},
                                                     {GLSLstd450FAbs, FABS},
                                                     {GLSLstd450FMin, FMIN},
                                                     {GLSLstd450FMax, FMAX},
                                                     {GLSLstd450FClamp, FCLAMP},
                                                     {GLSLstd450NMin, FMIN},
                                                     {GLSLstd450NMax, FMAX},
                                                     {GLSLstd450NClamp, FCLAMP},
                                                     {GLSLstd450Fma, FMA},
                                                     {GLSLstd450Modf, ANY_TOO},
                                                     {GLSLstd450Frexp, ANY_TOO},
                                                     {0, NONE}};

static enum numeric row_of(const struct function_row *rows, uint32_t number) {
  while (rows->what != NONE && rows->number != number) rows++;
  return rows->what;
}

/* Those without a row are functions of floats up to a certain number, and what the interpolation of a fragment's
 * inputs and the like need after it. */
static enum numeric numeric_of(const struct inst *inst) {
  bool opencl = inst->set == SET_OPENCL;
  uint32_t number = inst->operands[1], last = opencl ? OpenCLstd_Fast_normalize : GLSLstd450Refract;
  enum numeric what = row_of(opencl ? opencl_functions : glsl_functions, number);
  return what == NONE && number <= last ? ANY : what;
}

/* a + b, a - b or a * b + c, or the bound of the type that it lies beyond. */
static struct scalar saturated(struct arena *arena, enum numeric what, unsigned bits, const struct scalar *from) {
  bool plain = what == UADD_SAT || what == USUB_SAT || what == UMAD_SAT, product = what == MAD_SAT || what == UMAD_SAT;
  struct scalar x[3], exact;
  for (unsigned i = 0; i < 3; i++) x[i] = plain ? scalar_unsigned(arena, bits, from[i]) : from[i];
  if (product)
    exact = scalar_apply(arena, EXPR_ADD, scalar_apply(arena, EXPR_MUL, x[0], x[1]), x[2]);
  else
    exact = scalar_apply(arena, what == ADD_SAT || what == UADD_SAT ? EXPR_ADD : EXPR_SUB, x[0], x[1]);
  int64_t top = plain ? (INT64_C(1) << bits) - 1 : (INT64_C(1) << (bits - 1)) - 1, low = plain ? 0 : -top - 1;
  /* A product of 32 bits without sign may take all of 64. */
  struct scalar over = scalar_apply(arena, what == UMAD_SAT ? EXPR_ULT : EXPR_LT, scalar_known(top), exact),
                under = scalar_apply(arena, EXPR_LT, exact, scalar_known(low));
  exact = scalar_choose(arena, under, scalar_known(low), exact);
  return scalar_fit(arena, bits, scalar_choose(arena, over, scalar_known(top), exact));
}

static struct scalar chosen(struct arena *arena, enum numeric what, struct scalar a, struct scalar b) {
  bool plain = what == UMIN || what == UMAX, least = what == MIN || what == UMIN;
  struct scalar less = scalar_apply(arena, plain ? EXPR_ULT : EXPR_LT, a, b);
  return least ? scalar_choose(arena, less, a, b) : scalar_choose(arena, less, b, a);
}

/* ---- floats ---- */

static double number_of(struct work_item *w, const struct kernel_type *type, struct scalar a) {
  return double_of_bits(scalar_widened(w->arena, type->bits, a).value);
}

static double computed(enum numeric what, double x, double y, double z) {
  switch (what) {
    case CEIL:
      return ceil(x);
    case FLOOR:
      return floor(x);
    case FMA:
      return fma(x, y, z);
    case TRUNC:
      return trunc(x);
    case ROUND:
    case ROUND_OPEN:
      return round(x);
    case RINT:
      return rint(x);
    case FMOD:
      return fmod(x, y);
    case FDIM:
      return fdim(x, y);
    case COPYSIGN:
      return copysign(x, y);
    case FSIGN:
      return isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x;
    case FRACT:
      return x - floor(x);
    case STEP:
      return y < x ? 0 : 1;
    case MIX:
      return x + (y - x) * z;
    default:
      return sqrt(x);
  }
}

static bool is_in_the_middle(double x) {
  return fabs(x - trunc(x)) == 0.5;
}

/* A function of floats that are known; of others nothing is said: any value. */
static struct scalar of_floats(struct work_item *w, enum numeric what, const struct kernel_type *type,
                               const struct scalar *x) {
  bool known = x[0].kind == SCALAR_KNOWN && x[1].kind == SCALAR_KNOWN && x[2].kind == SCALAR_KNOWN;
  if (!known || (what == ROUND_OPEN && is_in_the_middle(number_of(w, type, x[0])))) return item_free_value(w);
  double result = computed(what, number_of(w, type, x[0]), number_of(w, type, x[1]), number_of(w, type, x[2]));
  return scalar_narrowed(w->arena, type->bits, scalar_known(bits_of_double(result)));
}

/* The lesser or the greater; of what is no number and a number, the number. */
static struct scalar chosen_float(struct work_item *w, bool least, const struct kernel_type *type, struct scalar a,
                                  struct scalar b) {
  struct arena *arena = w->arena;
  struct scalar x = scalar_widened(w->arena, type->bits, a), y = scalar_widened(w->arena, type->bits, b);
  struct scalar swap = least ? scalar_apply(arena, EXPR_FLT, y, x) : scalar_apply(arena, EXPR_FLT, x, y);
  return scalar_choose(arena, scalar_apply(arena, EXPR_FEQ, x, x), scalar_choose(arena, swap, b, a), b);
}

static struct scalar float_function(struct work_item *w, enum numeric what, const struct kernel_type *type,
                                    const struct scalar *x) {
  struct arena *arena = w->arena;
  switch (what) {
    case FABS:
      return scalar_apply(arena, EXPR_AND, x[0], scalar_known(INT64_MAX >> (64 - type->bits)));
    case FMIN:
    case FMAX:
      return chosen_float(w, what == FMIN, type, x[0], x[1]);
    case FCLAMP:
      return chosen_float(w, true, type, chosen_float(w, false, type, x[0], x[1]), x[2]);
    case FMA:
    case MAD: {
      if (what == FMA && type->bits == 64) return of_floats(w, what, type, x);
      struct scalar product = scalar_apply(arena, EXPR_FMUL, scalar_widened(arena, type->bits, x[0]),
                                           scalar_widened(arena, type->bits, x[1]));
      struct scalar added = scalar_widened(arena, type->bits, x[2]);
      if (what == FMA && type->bits == 32) return scalar_apply(arena, EXPR_FADDF, product, added);
      return scalar_narrowed(arena, type->bits, scalar_apply(arena, EXPR_FADD, product, added));
    }
    default:
      return of_floats(w, what, type, x);
  }
}

/* ---- integers ---- */

static struct scalar difference(struct arena *arena, bool plain, unsigned bits, struct scalar a, struct scalar b) {
  struct scalar less = scalar_apply(arena, plain ? EXPR_ULT : EXPR_LT, a, b);
  return scalar_fit(
      arena, bits,
      scalar_choose(arena, less, scalar_apply(arena, EXPR_SUB, b, a), scalar_apply(arena, EXPR_SUB, a, b)));
}

static struct scalar rotated(struct arena *arena, unsigned bits, struct scalar a, struct scalar by) {
  struct scalar word = scalar_unsigned(arena, bits, a);
  struct scalar left = scalar_apply(arena, EXPR_AND, by, scalar_known((int64_t)bits - 1));
  struct scalar right = scalar_apply(arena, EXPR_SUB, scalar_known((int64_t)bits), left);
  return scalar_fit(arena, bits,
                    scalar_apply(arena, EXPR_OR, scalar_apply(arena, EXPR_SHL, word, left),
                                 scalar_apply(arena, EXPR_SHR, word, right)));
}

/* The upper half of a product, with x[2] added to it. */
static struct scalar upper_half(struct arena *arena, bool plain, bool adds, unsigned bits, const struct scalar *x) {
  struct scalar a = plain ? scalar_unsigned(arena, bits, x[0]) : x[0],
                b = plain ? scalar_unsigned(arena, bits, x[1]) : x[1];
  struct scalar upper = scalar_apply(arena, EXPR_SHR, scalar_apply(arena, EXPR_MUL, a, b), scalar_known(bits));
  return scalar_fit(arena, bits, adds ? scalar_apply(arena, EXPR_ADD, upper, x[2]) : upper);
}

static struct scalar half_sum(struct arena *arena, bool plain, bool up, unsigned bits, struct scalar a,
                              struct scalar b) {
  struct scalar x = plain ? scalar_unsigned(arena, bits, a) : a, y = plain ? scalar_unsigned(arena, bits, b) : b;
  struct scalar sum = scalar_apply(arena, EXPR_ADD, scalar_apply(arena, EXPR_ADD, x, y), scalar_known(up));
  return scalar_fit(arena, bits, scalar_apply(arena, EXPR_SHR, sum, scalar_known(1)));
}

static struct scalar sign_of(struct arena *arena, struct scalar a) {
  struct scalar zero = scalar_known(0);
  return scalar_apply(arena, EXPR_SUB, scalar_apply(arena, EXPR_GT, a, zero), scalar_apply(arena, EXPR_LT, a, zero));
}

/* The number of the lowest bit that is 1, or of the highest that is not as the sign; -1: none. */
static struct scalar bit_found(struct work_item *w, enum numeric what, unsigned bits, struct scalar a) {
  if (a.kind != SCALAR_KNOWN) return item_free_value(w);
  if (what == SIGNED_HIGH_BIT && a.value < 0) a.value = ~a.value;
  uint64_t word = (uint64_t)scalar_unsigned(w->arena, bits, a).value;
  int64_t found = -1;
  for (unsigned bit = 0; bit < bits && !(what == LOW_BIT && found >= 0); bit++)
    if (word >> bit & 1) found = bit;
  return scalar_known(found);
}

static struct scalar joined(struct arena *arena, unsigned bits, struct scalar high, struct scalar low) {
  struct scalar upper = scalar_apply(arena, EXPR_SHL, high, scalar_known(bits / 2));
  return scalar_fit(arena, bits, scalar_apply(arena, EXPR_OR, upper, scalar_unsigned(arena, bits / 2, low)));
}

/* Of a value that is known; of others nothing is said. */
static struct scalar counted(struct work_item *w, enum numeric what, unsigned bits, struct scalar a) {
  if (a.kind != SCALAR_KNOWN) return item_free_value(w);
  uint64_t word = (uint64_t)scalar_unsigned(w->arena, bits, a).value;
  int64_t count = what == POPCOUNT ? __builtin_popcountll(word) : 0;
  if (what != POPCOUNT)
    for (uint64_t top = UINT64_C(1) << (bits - 1), bit = what == CLZ ? top : 1; count < bits && !(word & bit); count++)
      bit = what == CLZ ? bit >> 1 : bit << 1;
  return scalar_known(count);
}

/* Of a vector, the highest bit chooses. */
static struct scalar selected(struct arena *arena, bool vector, const struct scalar *x) {
  struct scalar second = scalar_apply(arena, vector ? EXPR_LT : EXPR_NE, x[2], scalar_known(0));
  return scalar_choose(arena, second, x[1], x[0]);
}

static struct scalar bits_selected(struct arena *arena, const struct scalar *x) {
  struct scalar not_mask = scalar_apply(arena, EXPR_NOT, x[2], scalar_known(0));
  return scalar_apply(arena, EXPR_OR, scalar_apply(arena, EXPR_AND, x[0], not_mask),
                      scalar_apply(arena, EXPR_AND, x[1], x[2]));
}

static struct scalar apply(struct work_item *w, enum numeric what, const struct kernel_type *type, bool vector,
                           const struct scalar *x) {
  struct arena *arena = w->arena;
  switch (what) {
    case ABS:
      return scalar_fit(arena, type->bits,
                        scalar_choose(arena, scalar_apply(arena, EXPR_LT, x[0], scalar_known(0)),
                                      scalar_apply(arena, EXPR_NEG, x[0], scalar_known(0)), x[0]));
    case MIN:
    case MAX:
    case UMIN:
    case UMAX:
      return chosen(arena, what, x[0], x[1]);
    case CLAMP:
      return chosen(arena, MIN, chosen(arena, MAX, x[0], x[1]), x[2]);
    case UCLAMP:
      return chosen(arena, UMIN, chosen(arena, UMAX, x[0], x[1]), x[2]);
    case ABS_DIFF:
    case UABS_DIFF:
      return difference(arena, what == UABS_DIFF, type->bits, x[0], x[1]);
    case MUL24:
      return scalar_fit(arena, type->bits, scalar_apply(arena, EXPR_MUL, x[0], x[1]));
    case MAD24:
      return scalar_fit(arena, type->bits,
                        scalar_apply(arena, EXPR_ADD, scalar_apply(arena, EXPR_MUL, x[0], x[1]), x[2]));
    case SELECT:
      return selected(arena, vector, x);
    case BITSELECT:
      return bits_selected(arena, x);
    case ROTATE:
      return rotated(arena, type->bits, x[0], x[1]);
    case POPCOUNT:
    case CLZ:
    case CTZ:
      return counted(w, what, type->bits, x[0]);
    case ADD_SAT:
    case SUB_SAT:
    case UADD_SAT:
    case USUB_SAT:
    case MAD_SAT:
    case UMAD_SAT:
      return saturated(arena, what, type->bits, x);
    case MUL_HI:
    case UMUL_HI:
    case MAD_HI:
    case UMAD_HI:
      return upper_half(arena, what == UMUL_HI || what == UMAD_HI, what == MAD_HI || what == UMAD_HI, type->bits, x);
    case HADD:
    case UHADD:
    case RHADD:
    case URHADD:
      return half_sum(arena, what == UHADD || what == URHADD, what == RHADD || what == URHADD, type->bits, x[0], x[1]);
    case SIGN:
      return sign_of(arena, x[0]);
    case UPSAMPLE:
      return joined(arena, type->bits, x[0], x[1]);
    case LOW_BIT:
    case HIGH_BIT:
    case SIGNED_HIGH_BIT:
      return bit_found(w, what, type->bits, x[0]);
    default:
      return float_function(w, what, type, x);
  }
}

/* ---- functions that are not element by element ---- */

/* Elements of a vector in the order that another says; of its numbers, the lower bits count. */
static void eval_mixed(struct work_item *w, const struct inst *inst) {
  struct value from = item_value(w, inst->operands[2]), by = item_value(w, inst->operands[3]);
  unsigned leaves = types_get(&w->k->types, inst->type)->leaves;
  struct scalar *result = ARENA_ARRAY(w->scratch, struct scalar, leaves + 1u);
  if (!from.at || !by.at || by.type->leaves != leaves) return;
  for (unsigned i = 0; i < leaves; i++) {
    struct scalar number = by.at[i].kind == SCALAR_UNSET ? item_free_value(w) : by.at[i];
    number = scalar_apply(w->arena, EXPR_AND, number, scalar_known((int64_t)from.type->leaves - 1));
    result[i] = from.at[0];
    for (unsigned k = 1; k < from.type->leaves; k++)
      result[i] =
          scalar_choose(w->arena, scalar_apply(w->arena, EXPR_EQ, number, scalar_known(k)), from.at[k], result[i]);
  }
  item_define(w, inst->result, result, leaves);
}

/* vload, vstore, vload_half, vstorea_half and the like. */
static void eval_access(struct work_item *w, uint32_t number) {
  bool load = number == OpenCLstd_Vloadn || number == OpenCLstd_Vload_half || number == OpenCLstd_Vload_halfn ||
              number == OpenCLstd_Vloada_halfn;
  memory_vector(w, load, number >= OpenCLstd_Vload_half, number >= OpenCLstd_Vloada_halfn);
}

static bool eval_whole(struct work_item *w, const struct inst *inst, enum numeric what) {
  switch (what) {
    case ANY_TOO:
      memory_set_free(w, inst->operands[inst->operand_count - 1]);
      item_define_free(w, inst);
      return true;
    case ANY:
      item_define_free(w, inst);
      return true;
    case VECTOR_ACCESS:
      eval_access(w, inst->operands[1]);
      return true;
    case SHUFFLE:
      eval_mixed(w, inst);
      return true;
    default:
      return what == PREFETCH;
  }
}

bool eval_extended(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  if (inst->opcode != SpvOpExtInst) return false;
  if (inst->set != SET_OPENCL && inst->set != SET_GLSL) return true;
  enum numeric what = numeric_of(inst);
  if (eval_whole(w, inst, what)) return true;
  const struct kernel_type *type = types_get(&w->k->types, inst->type), *leaf = type;
  if (type->kind == TYPE_VECTOR) leaf = type->element;
  bool wide = leaf->bits > 32 && what >= ADD_SAT;
  if (what == NONE || wide) {
    module_fail(&w->k->module, inst, "function %s of %s%s is not supported", module_function_name(&w->k->module, inst),
                inst->set == SET_OPENCL ? "OpenCL.std" : "GLSL.std.450", wide ? " on 64 bits" : "");
    return true;
  }
  struct scalar *result = ARENA_ARRAY(w->scratch, struct scalar, type->leaves + 1u);
  for (unsigned i = 0; i < type->leaves && !w->k->module.failed; i++) {
    struct scalar x[3];
    for (unsigned k = 0; k < 3; k++) {
      struct value a = item_value(w, inst->operands[2 + (k + 2 < inst->operand_count ? k : 0)]);
      if (!a.at || a.type->leaves <= i) return true;
      x[k] = a.at[i].kind == SCALAR_UNSET ? item_free_value(w) : a.at[i];
    }
    result[i] = apply(w, what, leaf, type != leaf, x);
  }
  item_define(w, inst->result, result, type->leaves);
  return true;
}
