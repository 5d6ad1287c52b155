/* SPDX-License-Identifier: MIT */
/* Products of vectors and matrices, and what is asked of all elements of a vector.
 *
 * Products are sums of products of floats, each sum rounded, in the order of the elements; a matrix is an array of its
 * columns. */
#include <spirv/unified1/spirv.h>

#include "checker/spirv/kernel_internal.h"

/* Some elements of a value: the first, and how far it is from each to the next. */
struct elements {
  const struct scalar *at;
  unsigned step;
};

static struct scalar inner_product(struct work_item *w, const struct kernel_type *type, struct elements a,
                                   struct elements b, unsigned count) {
  struct arena *arena = w->arena;
  struct scalar sum = scalar_known(0);
  for (unsigned i = 0; i < count; i++) {
    struct scalar product = scalar_apply(arena, EXPR_FMUL, scalar_widened(arena, type->bits, a.at[i * a.step]),
                                         scalar_widened(arena, type->bits, b.at[i * b.step]));
    if (i) product = scalar_apply(arena, EXPR_FADD, scalar_widened(arena, type->bits, sum), product);
    sum = compute_kept(arena, type, product);
  }
  return sum;
}

/* How many elements of the operands one of the result takes, and which: those of row r and column c begin at
 * r * `a_row` in the first and at c * `b_column` in the second. */
struct product {
  unsigned rows, columns, count, a_row, a_step, b_column, b_step;
};

static unsigned first_operand_leaves(struct work_item *w) {
  const struct inst *def = w->k->module.defs[item_inst(w)->operands[0]];
  return def && def->type ? types_get(&w->k->types, def->type)->leaves : 0;
}

static bool find_product(struct work_item *w, const struct kernel_type *to, struct product *p) {
  unsigned columns = to->kind == TYPE_ARRAY ? to->count : 1, rows = to->leaves / columns, count;
  switch (item_inst(w)->opcode) {
    case SpvOpDot:
      *p = (struct product){1, 1, first_operand_leaves(w), 0, 1, 0, 1};
      return true;
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
      *p = (struct product){to->leaves, 1, 1, 1, 1, 0, 1};
      return true;
    case SpvOpMatrixTimesVector:
    case SpvOpMatrixTimesMatrix:
      count = first_operand_leaves(w) / rows;
      *p = (struct product){rows, columns, count, 1, rows, count, 1};
      return true;
    case SpvOpVectorTimesMatrix:
      count = first_operand_leaves(w);
      *p = (struct product){1, to->leaves, count, 0, 1, count, 1};
      return true;
    case SpvOpOuterProduct:
      *p = (struct product){rows, columns, 1, 1, 1, 1, 1};
      return true;
    default:
      return false;
  }
}

static bool eval_product(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  const struct kernel_type *to = types_get(&w->k->types, inst->type), *leaf = to;
  struct product p;
  if (!find_product(w, to, &p)) return false;
  while (leaf->kind == TYPE_VECTOR || leaf->kind == TYPE_ARRAY) leaf = leaf->element;
  unsigned last_row = p.rows - 1, last_column = p.columns - 1, last = p.count - 1;
  const struct scalar *a = compute_operand(w, inst->operands[0], last_row * p.a_row + last * p.a_step + 1, NULL),
                      *b = compute_operand(w, inst->operands[1], last_column * p.b_column + last * p.b_step + 1, NULL);
  if (!a || !b) return true;
  struct scalar *result = ARENA_ARRAY(w->scratch, struct scalar, to->leaves + 1u);
  for (unsigned c = 0; c < p.columns; c++)
    for (unsigned r = 0; r < p.rows; r++)
      result[c * p.rows + r] = inner_product(w, leaf, (struct elements){a + r * p.a_row, p.a_step},
                                             (struct elements){b + c * p.b_column, p.b_step}, p.count);
  item_define(w, inst->result, result, to->leaves);
  return true;
}

static bool eval_transpose(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  if (inst->opcode != SpvOpTranspose) return false;
  const struct kernel_type *to = types_get(&w->k->types, inst->type);
  const struct scalar *a = compute_operand(w, inst->operands[0], to->leaves, NULL);
  struct scalar *result = ARENA_ARRAY(w->scratch, struct scalar, to->leaves + 1u);
  if (!a) return true;
  for (unsigned c = 0, rows = to->leaves / to->count; c < to->count; c++)
    for (unsigned r = 0; r < rows; r++) result[c * rows + r] = a[r * to->count + c];
  item_define(w, inst->result, result, to->leaves);
  return true;
}

static bool eval_any_or_all(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  if (inst->opcode != SpvOpAny && inst->opcode != SpvOpAll) return false;
  const struct kernel_type *from;
  const struct scalar *a = compute_operand(w, inst->operands[0], 1, &from);
  if (!a) return true;
  struct scalar truth = a[0];
  for (unsigned i = 1; i < from->leaves; i++)
    truth = scalar_apply(w->arena, inst->opcode == SpvOpAny ? EXPR_LOR : EXPR_LAND, truth, a[i]);
  item_define_one(w, inst->result, truth);
  return true;
}

bool eval_vectors(struct work_item *w) {
  return eval_product(w) || eval_transpose(w) || eval_any_or_all(w);
}
