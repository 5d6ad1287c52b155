/* SPDX-License-Identifier: MIT */
/* PTX's accesses of several locations by one address:
 *
 *   multimem.ld_reduce [.weak | .sem.scope] [.global] .op [.type]    register, [m]
 *   multimem.st        [.weak | .sem.scope] [.global] [.type]        [m], value
 *   multimem.red       [.sem] [.scope] [.global] .op [.type]         [m], value
 *   multimem.cp.async.bulk, multimem.cp.reduce.async.bulk            ptx_async.c
 *
 * (ISA, 9.7.9.14.)  An address that `@ multimem aliases x, y` declares points to
 * several locations (8.2.3).  An instruction is one access of each, by an alias that is
 * none of the location's other names, in no order, as those of a vector (8.2.4): they
 * are ALIAS and PART, and the first BEGINS the instruction.
 */
#include "checker/litmus/ptx_qualifiers.h"

static const struct word_row load_orders[] = {
    {"weak", ORDER_NA}, {"relaxed", ORDER_RLX}, {"acquire", ORDER_ACQ}, {NULL, 0}};
static const struct word_row store_orders[] = {
    {"weak", ORDER_NA}, {"relaxed", ORDER_RLX}, {"release", ORDER_REL}, {NULL, 0}};
static const struct word_row reduction_orders[] = {{"relaxed", ORDER_RLX}, {"release", ORDER_REL}, {NULL, 0}};
static const struct word_row operations[] = {{"min", RMW_MIN}, {"max", RMW_MAX}, {"add", RMW_ADD}, {"and", RMW_AND},
                                             {"or", RMW_OR},   {"xor", RMW_XOR}, {NULL, 0}};

/* What an instruction's name says of its accesses. */
struct access {
  struct ptx_strength strength;
  struct ptx_place type;
};

/* Of loads and stores, which are weak where no order is given. */
static bool take_strength(struct column_cell *cell, struct opcode *op, const struct word_row *orders,
                          struct access *access) {
  int order = opcode_skip(op, orders), scope = SCOPE_NONE;
  if (order < 0) order = ORDER_NA;
  if (order != ORDER_NA) scope = opcode_expect(cell, op, ptx_scopes, "a scope");
  if (scope < 0) return false;
  *access =
      (struct access){{(enum order)order, ptx_scope(cell, scope), order == ORDER_NA ? tag_bit(TAG_WEAK) : 0}, {0}};
  return true;
}

/* The rest of the name: [.global] [.op] [.type]; the operation, or -1 after a failure. */
static int take_rest(struct column_cell *cell, struct opcode *op, bool reduces, struct access *access) {
  static const struct word_row global[] = {{"global", 0}, {NULL, 0}};
  opcode_skip(op, global);
  int operation = reduces ? opcode_expect(cell, op, operations, "an operation") : 0;
  ptx_take_hints(op, NULL, &access->type);
  ptx_take_type(op, &access->type);
  ptx_refuse_vector(cell, op, &access->type);
  if (operation >= 0) opcode_end(cell, op);
  access->strength.tags |= tag_bit(TAG_GEN) | tag_bit(TAG_ALIAS) | tag_bit(TAG_PART);
  return operation;
}

static struct instr *emit_access(struct column_cell *cell, const struct opcode *op, enum instr_kind kind,
                                 const struct access *access, const struct draft_location *place, bool first) {
  struct instr *instr = ptx_emit(cell, op, kind, &access->strength);
  ptx_set_type(instr, &access->type);
  if (first) *(kind == INSTR_RMW ? &instr->read_tags : &instr->tags) |= tag_bit(TAG_BEGINS);
  assembly_access(cell, instr, place);
  return instr;
}

static const struct expr *combine(struct draft *draft, int operation, const struct width *type, const struct expr *a,
                                  const struct expr *b) {
  static const enum expr_kind kinds[RMW_OPS] = {
      [RMW_ADD] = EXPR_ADD, [RMW_AND] = EXPR_AND, [RMW_OR] = EXPR_OR, [RMW_XOR] = EXPR_XOR};
  enum expr_kind below = type->bits && !type->is_signed ? EXPR_ULT : EXPR_LT;
  if (operation == RMW_MIN) return draft_operation(draft, EXPR_COND, draft_operation(draft, below, a, b, NULL), a, b);
  if (operation == RMW_MAX) return draft_operation(draft, EXPR_COND, draft_operation(draft, below, a, b, NULL), b, a);
  return draft_operation(draft, kinds[operation], a, b, NULL);
}

static void lower_load(struct column_cell *cell, struct opcode *op) {
  struct access access;
  if (!take_strength(cell, op, load_orders, &access)) return;
  int operation = take_rest(cell, op, true, &access);
  if (operation < 0) return;
  int reg = assembly_destination(cell);
  assembly_comma(cell, op, "register, [multimem address]");
  const struct draft_location *places = ptx_multimem_places(cell);
  if (!places) return;
  const struct expr *value = NULL;
  for (unsigned i = 0; i < places->multimem; i++) {
    unsigned read = draft_new_temporary(cell->draft, cell->thread);
    emit_access(cell, op, INSTR_LOAD, &access, &places[i], !i)->reg = (int)read;
    const struct expr *here = draft_register_value(cell->draft, read);
    value = value ? combine(cell->draft, operation, &access.type.type, value, here) : here;
  }
  struct instr *assign = assembly_emit(cell, op, INSTR_ASSIGN);
  assign->reg = reg;
  assign->value = draft_fit(cell->draft, access.type.type, value);
}

/* `[m], value`; false after a failure. */
static bool take_operands(struct column_cell *cell, const struct opcode *op, const struct draft_location **places,
                          const struct expr **value) {
  *places = ptx_multimem_places(cell);
  if (!*places) return false;
  assembly_comma(cell, op, "[multimem address], value");
  *value = assembly_value(cell);
  return !cell->reader->failed;
}

static void lower_store(struct column_cell *cell, struct opcode *op) {
  struct access access;
  const struct draft_location *places;
  const struct expr *value;
  if (!take_strength(cell, op, store_orders, &access) || take_rest(cell, op, false, &access) < 0) return;
  if (!take_operands(cell, op, &places, &value)) return;
  for (unsigned i = 0; i < places->multimem; i++)
    emit_access(cell, op, INSTR_STORE, &access, &places[i], !i)->value = value;
}

static void lower_reduction(struct column_cell *cell, struct opcode *op) {
  int order = opcode_skip(op, reduction_orders), scope = opcode_skip(op, ptx_scopes);
  struct access access = {
      {order < 0 ? ORDER_RLX : (enum order)order, ptx_scope(cell, scope < 0 ? SCOPE_SYS : scope), 0}, {0}};
  const struct draft_location *places;
  const struct expr *value;
  int operation = take_rest(cell, op, true, &access);
  if (operation < 0 || !take_operands(cell, op, &places, &value)) return;
  for (unsigned i = 0; i < places->multimem; i++) {
    struct instr *instr = emit_access(cell, op, INSTR_RMW, &access, &places[i], !i);
    instr->op = (enum rmw_op)operation;
    instr->value = value;
    instr->split = true;
    instr->read_tags |= tag_bit(TAG_REDUCTION);
  }
}

void ptx_lower_multimem(struct column_cell *cell, struct opcode *op) {
  enum { LD_REDUCE, ST, RED, CP };
  static const struct word_row kinds[] = {{"ld_reduce", LD_REDUCE}, {"st", ST}, {"red", RED}, {"cp", CP}, {NULL, 0}};
  switch (opcode_expect(cell, op, kinds, "an access")) {
    case LD_REDUCE:
      lower_load(cell, op);
      return;
    case ST:
      lower_store(cell, op);
      return;
    case RED:
      lower_reduction(cell, op);
      return;
    case CP:
      ptx_lower_multimem_copy(cell, op);
      return;
    default:
      return;
  }
}
