/* SPDX-License-Identifier: MIT */
/* Instructions of the extended sets OpenCL.std and GLSL.std.450, as far as kernels use them for
 * numbers of elements and addresses; and those that mean nothing (NonSemantic). */
#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/spirv/kernel.h"

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
  /* Not on 64 bits. */
  ADD_SAT,
  SUB_SAT,
  UADD_SAT,
  USUB_SAT,
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
                                                       {OpenCLstd_Sqrt, SQRT},
                                                       {OpenCLstd_Fabs, FABS},
                                                       {OpenCLstd_Fmin, FMIN},
                                                       {OpenCLstd_Fmax, FMAX},
                                                       {OpenCLstd_FClamp, FCLAMP},
                                                       {OpenCLstd_Fma, FMA},
                                                       {OpenCLstd_Mad, MAD},
                                                       {0, NONE}};
static const struct function_row glsl_functions[] = {
    {GLSLstd450SAbs, ABS},    {GLSLstd450SMin, MIN},      {GLSLstd450SMax, MAX},      {GLSLstd450UMin, UMIN},
    {GLSLstd450UMax, UMAX},   {GLSLstd450SClamp, CLAMP},  {GLSLstd450UClamp, UCLAMP}, {GLSLstd450Ceil, CEIL},
    {GLSLstd450Floor, FLOOR}, {GLSLstd450Sqrt, SQRT},     {GLSLstd450FAbs, FABS},     {GLSLstd450FMin, FMIN},
    {GLSLstd450FMax, FMAX},   {GLSLstd450FClamp, FCLAMP}, {GLSLstd450Fma, FMA},       {0, NONE}};

static enum numeric numeric_of(const struct function_row *rows, uint32_t number) {
  while (rows->what != NONE && rows->number != number) rows++;
  return rows->what;
}

/* a + b, or a - b, or the bound of the type that it lies beyond. */
static struct scalar saturated(struct arena *arena, enum numeric what, unsigned bits, struct scalar a,
                               struct scalar b) {
  bool add = what == ADD_SAT || what == UADD_SAT, plain = what == UADD_SAT || what == USUB_SAT;
  struct scalar x = plain ? scalar_unsigned(arena, bits, a) : a, y = plain ? scalar_unsigned(arena, bits, b) : b;
  struct scalar exact = scalar_apply(arena, add ? EXPR_ADD : EXPR_SUB, x, y);
  int64_t top = plain ? (INT64_C(1) << bits) - 1 : (INT64_C(1) << (bits - 1)) - 1, low = plain ? 0 : -top - 1;
  struct scalar over = scalar_apply(arena, EXPR_GT, exact, scalar_known(top)),
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

static struct scalar widened(struct worker *w, const struct kernel_type *type, struct scalar a) {
  return type->bits == 32 ? scalar_apply(w->arena, EXPR_FWIDEN, a, scalar_known(0)) : a;
}

static struct scalar narrowed(struct worker *w, const struct kernel_type *type, struct scalar a) {
  return type->bits == 32 ? scalar_apply(w->arena, EXPR_FNARROW, a, scalar_known(0)) : a;
}

static double number_of(struct worker *w, const struct kernel_type *type, struct scalar a) {
  int64_t wide = widened(w, type, a).value;
  double x;
  memcpy(&x, &wide, sizeof x);
  return x;
}

static double computed(enum numeric what, unsigned bits, double x, double y, double z) {
  switch (what) {
    case CEIL:
      return ceil(x);
    case FLOOR:
      return floor(x);
    case FMA:
      return bits == 32 ? (double)fmaf((float)x, (float)y, (float)z) : fma(x, y, z);
    default:
      return sqrt(x);
  }
}

/* A function of floats that are known; of others nothing is said: any value. */
static struct scalar of_floats(struct worker *w, enum numeric what, const struct kernel_type *type,
                               const struct scalar *x) {
  bool known = x[0].kind == SCALAR_KNOWN && x[1].kind == SCALAR_KNOWN && x[2].kind == SCALAR_KNOWN;
  if (!known) return worker_free_value(w);
  double result =
      computed(what, type->bits, number_of(w, type, x[0]), number_of(w, type, x[1]), number_of(w, type, x[2]));
  int64_t wide;
  memcpy(&wide, &result, sizeof wide);
  return narrowed(w, type, scalar_known(wide));
}

/* The lesser or the greater; of what is no number and a number, the number. */
static struct scalar chosen_float(struct worker *w, bool least, const struct kernel_type *type, struct scalar a,
                                  struct scalar b) {
  struct arena *arena = w->arena;
  struct scalar x = widened(w, type, a), y = widened(w, type, b);
  struct scalar swap = least ? scalar_apply(arena, EXPR_FLT, y, x) : scalar_apply(arena, EXPR_FLT, x, y);
  return scalar_choose(arena, scalar_apply(arena, EXPR_FEQ, x, x), scalar_choose(arena, swap, b, a), b);
}

static struct scalar float_function(struct worker *w, enum numeric what, const struct kernel_type *type,
                                    const struct scalar *x) {
  struct arena *arena = w->arena;
  switch (what) {
    case FABS:
      return scalar_apply(arena, EXPR_AND, x[0], scalar_known(type->bits == 32 ? INT32_MAX : INT64_MAX));
    case FMIN:
    case FMAX:
      return chosen_float(w, what == FMIN, type, x[0], x[1]);
    case FCLAMP:
      return chosen_float(w, true, type, chosen_float(w, false, type, x[0], x[1]), x[2]);
    case MAD: {
      struct scalar product = scalar_apply(arena, EXPR_FMUL, widened(w, type, x[0]), widened(w, type, x[1]));
      return narrowed(w, type, scalar_apply(arena, EXPR_FADD, product, widened(w, type, x[2])));
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

/* Of a value that is known; of others nothing is said. */
static struct scalar counted(struct worker *w, enum numeric what, unsigned bits, struct scalar a) {
  if (a.kind != SCALAR_KNOWN) return worker_free_value(w);
  uint64_t word = (uint64_t)scalar_unsigned(w->arena, bits, a).value;
  int64_t count = 0;
  if (what == POPCOUNT)
    for (; word; word &= word - 1) count++;
  else
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

static struct scalar apply(struct worker *w, enum numeric what, const struct kernel_type *type, bool vector,
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
      return saturated(arena, what, type->bits, x[0], x[1]);
    default:
      return float_function(w, what, type, x);
  }
}

bool eval_extended(struct worker *w) {
  const struct inst *inst = worker_inst(w);
  if (inst->opcode != SpvOpExtInst) return false;
  enum numeric what = NONE;
  if (inst->set == SET_OPENCL) what = numeric_of(opencl_functions, inst->operands[1]);
  if (inst->set == SET_GLSL) what = numeric_of(glsl_functions, inst->operands[1]);
  bool numbers = inst->set == SET_OPENCL || inst->set == SET_GLSL;
  if (!numbers) return true;
  const struct kernel_type *type = types_get(&w->k->types, inst->type), *leaf = type;
  if (type->kind == TYPE_VECTOR) leaf = type->element;
  bool wide = leaf->bits > 32 && what >= ADD_SAT;
  if (what == NONE || wide) {
    module_fail(&w->k->module, inst, "instruction %u of an extended set%s is not supported", inst->operands[1],
                wide ? " on 64 bits" : "");
    return true;
  }
  struct scalar *result = ARENA_ARRAY(w->scratch, struct scalar, type->leaves + 1u);
  for (unsigned i = 0; i < type->leaves && !w->k->module.failed; i++) {
    struct scalar x[3];
    for (unsigned k = 0; k < 3; k++) {
      struct value a = worker_value(w, inst->operands[2 + (k + 2 < inst->operand_count ? k : 0)]);
      if (!a.at || a.type->leaves <= i) return true;
      x[k] = a.at[i].kind == SCALAR_UNSET ? worker_free_value(w) : a.at[i];
    }
    result[i] = apply(w, what, leaf, type != leaf, x);
  }
  worker_define(w, inst->result, result, type->leaves);
  return true;
}
