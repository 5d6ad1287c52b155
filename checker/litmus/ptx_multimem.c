/* SPDX-License-Identifier: MIT */
/* PTX's accesses of several locations by one address:
 *
 *   multimem.ld_reduce [.weak | .sem.scope] [.global] .op [.acc::f32] [.v4] [.type]    register, [m]
 *   multimem.st        [.weak | .sem.scope] [.global] [.v4] [.type]                    [m], value
 *   multimem.red       [.sem] [.scope] [.global] .op [.v4] [.type]                     [m], value
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

/* Of loads and stores, which are weak where no order is given. */
static bool take_strength(struct column_cell *cell, struct opcode *op, const struct word_row *orders,
                          struct ptx_access *access) {
  int order = opcode_skip(op, orders);
  bool weak = order < 0 || order == ORDER_NA;
  access->strength = (struct ptx_strength){ORDER_NA, SCOPE_NONE, weak ? tag_bit(TAG_WEAK) : 0};
  return weak || ptx_take_scope(cell, op, order, &access->strength);
}

/* The rest of the name: [.global] [.op] [.acc::f32] [.vec] [.type]; the operation, or -1 after a failure. */
static int take_rest(struct column_cell *cell, struct opcode *op, bool reduces, struct ptx_access *access) {
  static const struct word_row precisions[] = {{"acc::f32", 0}, {"acc::f16", 0}, {NULL, 0}};
  opcode_skip_word(op, "global");
  int operation = reduces ? opcode_expect(cell, op, operations, "an operation") : 0;
  opcode_skip(op, precisions);
  ptx_take_hints(op, NULL, &access->place);
  ptx_take_type(op, &access->place);
  if (operation >= 0) opcode_end(cell, op);
  access->strength.tags |= tag_bit(TAG_GEN) | tag_bit(TAG_ALIAS) | tag_bit(TAG_PART);
  return operation;
}

/* How many cells of each of its locations it accesses. */
static unsigned cells_of(const struct ptx_access *access) {
  return ptx_elements(&access->place) * access->target.pieces;
}

/* The access of a cell of the place of that number. */
static struct instr *emit_at(struct column_cell *cell, const struct opcode *op, enum instr_kind kind,
                             struct ptx_access *access, unsigned place, unsigned piece) {
  const struct draft_location *first = access->target.location;
  access->target.location = first + place;
  struct instr *instr = ptx_emit_access(cell, op, kind, access, piece);
  access->target.location = first;
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

/* The values of a cell at all places, combined. */
static const struct expr *load_combined(struct column_cell *cell, const struct opcode *op, struct ptx_access *access,
                                        int operation, unsigned piece) {
  const struct expr *value = NULL;
  for (unsigned i = 0; i < access->target.location->multimem; i++) {
    unsigned read = draft_new_temporary(cell->draft, cell->thread);
    emit_at(cell, op, INSTR_LOAD, access, i, piece)->reg = (int)read;
    const struct expr *here = draft_register_value(cell->draft, read);
    value = value ? combine(cell->draft, operation, &access->place.type, value, here) : here;
  }
  return value;
}

static void lower_load(struct column_cell *cell, struct opcode *op) {
  struct ptx_access access = {0};
  const struct expr *read[PIECE_LIMIT];
  int regs[VECTOR_LIMIT];
  if (!take_strength(cell, op, load_orders, &access)) return;
  int operation = take_rest(cell, op, true, &access);
  if (operation < 0) return;
  ptx_take_registers(cell, &access.place, regs);
  assembly_comma(cell, op, "register, [multimem address]");
  access.target = ptx_take_target(cell, &access.place, PTX_MULTIMEM);
  if (!access.target.location) return;
  if (access.place.type.is_real) ptx_note_sum(cell, op);
  unsigned pieces = access.target.pieces;
  for (unsigned i = 0; i < ptx_elements(&access.place); i++) {
    for (unsigned k = 0; k < pieces; k++) read[k] = load_combined(cell, op, &access, operation, i * pieces + k);
    const struct expr *value = ptx_join_pieces(cell->draft, &access, read);
    assembly_assign(cell, op, regs[i], pieces == 1 ? draft_fit(cell->draft, access.place.type, value) : value);
  }
}

/* `[m], value`; false after a failure. */
static bool take_operands(struct column_cell *cell, const struct opcode *op, struct ptx_access *access,
                          const struct expr **values) {
  access->target = ptx_take_target(cell, &access->place, PTX_MULTIMEM);
  if (!access->target.location) return false;
  assembly_comma(cell, op, "[multimem address], value");
  ptx_take_values(cell, &access->place, values);
  return !cell->reader->failed;
}

static void lower_store(struct column_cell *cell, struct opcode *op) {
  struct ptx_access access = {0};
  const struct expr *values[VECTOR_LIMIT];
  if (!take_strength(cell, op, store_orders, &access) || take_rest(cell, op, false, &access) < 0) return;
  if (!take_operands(cell, op, &access, values)) return;
  for (unsigned i = 0; i < access.target.location->multimem; i++)
    for (unsigned k = 0; k < cells_of(&access); k++)
      emit_at(cell, op, INSTR_STORE, &access, i, k)->value =
          ptx_piece(cell->draft, &access, values[k / access.target.pieces], k);
}

static void lower_reduction(struct column_cell *cell, struct opcode *op) {
  int order = opcode_skip(op, reduction_orders), scope = opcode_skip(op, ptx_scopes);
  struct ptx_access access = {
      .strength = {order < 0 ? ORDER_RLX : (enum order)order, ptx_scope(cell, scope < 0 ? SCOPE_SYS : scope), 0}};
  const struct expr *values[VECTOR_LIMIT];
  int operation = take_rest(cell, op, true, &access);
  if (operation < 0 || !take_operands(cell, op, &access, values)) return;
  if (access.place.type.is_real) ptx_note_sum(cell, op);
  for (unsigned i = 0; i < access.target.location->multimem; i++)
    for (unsigned k = 0; k < cells_of(&access); k++) {
      struct instr *instr = emit_at(cell, op, INSTR_RMW, &access, i, k);
      instr->op = (enum rmw_op)operation;
      instr->value = ptx_piece(cell->draft, &access, values[k / access.target.pieces], k);
      instr->split = true;
      instr->read_tags |= tag_bit(TAG_REDUCTION);
    }
}

void ptx_lower_multimem(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  (void)proxy;
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
