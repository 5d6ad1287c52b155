/* SPDX-License-Identifier: MIT */
/* Instructions of the extended sets OpenCL.std and GLSL.std.450, as far as kernels use them for
 * numbers of elements and addresses; and those that mean nothing (NonSemantic). */
#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/spirv/kernel.h"

enum numeric { NONE, ABS, MIN, MAX, UMIN, UMAX, ADD_SAT, SUB_SAT, UADD_SAT, USUB_SAT, CEIL, FLOOR, SQRT };

static enum numeric opencl_function(uint32_t number) {
  switch (number) {
    case OpenCLstd_SAbs:
      return ABS;
    case OpenCLstd_SMin:
      return MIN;
    case OpenCLstd_SMax:
      return MAX;
    case OpenCLstd_UMin:
      return UMIN;
    case OpenCLstd_UMax:
      return UMAX;
    case OpenCLstd_SAdd_sat:
      return ADD_SAT;
    case OpenCLstd_SSub_sat:
      return SUB_SAT;
    case OpenCLstd_UAdd_sat:
      return UADD_SAT;
    case OpenCLstd_USub_sat:
      return USUB_SAT;
    case OpenCLstd_Ceil:
      return CEIL;
    case OpenCLstd_Floor:
      return FLOOR;
    case OpenCLstd_Sqrt:
      return SQRT;
    default:
      return NONE;
  }
}

static enum numeric glsl_function(uint32_t number) {
  switch (number) {
    case GLSLstd450SAbs:
      return ABS;
    case GLSLstd450SMin:
      return MIN;
    case GLSLstd450SMax:
      return MAX;
    case GLSLstd450UMin:
      return UMIN;
    case GLSLstd450UMax:
      return UMAX;
    case GLSLstd450Ceil:
      return CEIL;
    case GLSLstd450Floor:
      return FLOOR;
    case GLSLstd450Sqrt:
      return SQRT;
    default:
      return NONE;
  }
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

/* A function of a float that is known; of others nothing is said: any value. */
static struct scalar of_float(struct worker *w, enum numeric what, const struct kernel_type *type, struct scalar a) {
  if (a.kind != SCALAR_KNOWN) return worker_free_value(w);
  int64_t wide = type->bits == 32 ? expr_apply(EXPR_FWIDEN, a.value, 0, 0, NULL) : a.value;
  double x;
  memcpy(&x, &wide, sizeof x);
  x = what == CEIL ? ceil(x) : what == FLOOR ? floor(x) : sqrt(x);
  memcpy(&wide, &x, sizeof wide);
  return scalar_known(type->bits == 32 ? expr_apply(EXPR_FNARROW, wide, 0, 0, NULL) : wide);
}

static struct scalar apply(struct worker *w, enum numeric what, const struct kernel_type *type, struct scalar a,
                           struct scalar b) {
  struct arena *arena = w->arena;
  switch (what) {
    case ABS:
      return scalar_fit(arena, type->bits,
                        scalar_choose(arena, scalar_apply(arena, EXPR_LT, a, scalar_known(0)),
                                      scalar_apply(arena, EXPR_NEG, a, scalar_known(0)), a));
    case MIN:
    case MAX:
    case UMIN:
    case UMAX:
      return chosen(arena, what, a, b);
    case CEIL:
    case FLOOR:
    case SQRT:
      return of_float(w, what, type, a);
    default:
      return saturated(arena, what, type->bits, a, b);
  }
}

bool eval_extended(struct worker *w) {
  const struct inst *inst = worker_inst(w);
  if (inst->opcode != SpvOpExtInst) return false;
  enum numeric what = NONE;
  if (inst->set == SET_OPENCL) what = opencl_function(inst->operands[1]);
  if (inst->set == SET_GLSL) what = glsl_function(inst->operands[1]);
  bool numbers = inst->set == SET_OPENCL || inst->set == SET_GLSL;
  if (!numbers) return true;
  const struct kernel_type *type = types_get(&w->k->types, inst->type), *leaf = type;
  if (type->kind == TYPE_VECTOR) leaf = type->element;
  bool wide = leaf->bits > 32 && what >= ADD_SAT && what <= USUB_SAT;
  if (what == NONE || wide) {
    module_fail(&w->k->module, inst, "instruction %u of an extended set%s is not supported", inst->operands[1],
                wide ? " on 64 bits" : "");
    return true;
  }
  struct scalar *result = ARENA_ARRAY(w->scratch, struct scalar, type->leaves + 1u);
  for (unsigned i = 0; i < type->leaves && !w->k->module.failed; i++) {
    struct value a = worker_value(w, inst->operands[2]);
    struct value b = inst->operand_count > 3 ? worker_value(w, inst->operands[3]) : a;
    if (!a.at || !b.at || a.type->leaves <= i || b.type->leaves <= i) return true;
    struct scalar x = a.at[i].kind == SCALAR_UNSET ? worker_free_value(w) : a.at[i];
    struct scalar y = b.at[i].kind == SCALAR_UNSET ? worker_free_value(w) : b.at[i];
    result[i] = apply(w, what, leaf, x, y);
  }
  worker_define(w, inst->result, result, type->leaves);
  return true;
}
