/* SPDX-License-Identifier: MIT */
/* What PTX's accesses keep of a value: as many bits as their type has.  A store cuts
 * off the others, and a load extends what it reads with a sign where its type has one,
 * else with zeros (ISA, "Operand Size Exceeding Instruction-Type Size"); `min` and
 * `max` compare as the type does.  Registers have 64 bits.
 *
 * A location has the type of the largest access of it, with a sign if any access has
 * one, so that its bits are always the same number and accesses of one type leave
 * values as they are.  One without a type is as wide as the location, and where no
 * access has one, any number is kept, as in Dat3M's tests, which have none.
 *
 *   add | sub | mul[.lo] | div | rem | and | or | xor | shl | shr | min | max [.type]   register, value, value
 *   setp.CMP[.type]   register, value, value         1 or 0
 *
 * Arithmetic without a type is of 64 bits with a sign.
 */
#include "checker/litmus/ptx_qualifiers.h"

static void join_types(struct draft *draft, const struct instr *instr) {
  if (!instr_is_access(instr) || draft->locations.at[instr->address.base].mbarrier) return;
  struct width *width = &draft->locations.at[instr->address.base].width;
  if (instr->width.bits > width->bits) width->bits = instr->width.bits;
  width->is_signed |= instr->width.is_signed;
}

/* As what an access writes is kept at a location. */
static struct width kept(struct width access, struct width location) {
  if (!access.bits) return location;
  return (struct width){.bits = access.bits, .is_signed = access.bits == location.bits && location.is_signed};
}

static bool may_overflow(enum rmw_op op) {
  return op == RMW_ADD || op == RMW_SUB || op == RMW_MUL || op == RMW_DIV;
}

static void fit_written(struct draft *draft, struct instr *instr, struct width width) {
  bool is_unsigned = instr->width.bits && !instr->width.is_signed;
  if (instr->value) instr->value = draft_fit(draft, width, instr->value);
  if (instr->expected) instr->expected = draft_fit(draft, width, instr->expected);
  if (is_unsigned && instr->op == RMW_MIN) instr->op = RMW_UMIN;
  if (is_unsigned && instr->op == RMW_MAX) instr->op = RMW_UMAX;
  instr->width = instr->kind == INSTR_RMW && may_overflow(instr->op) && width.bits < 64 ? width : (struct width){0};
}

/* Does a value that is kept at a location look otherwise to an access of this type? */
static bool looks_otherwise(struct width access, struct width location) {
  if (!access.bits || access.bits >= 64) return false;
  return access.bits != location.bits || access.is_signed != location.is_signed;
}

static void fit_access(struct draft *draft, struct draft_thread *thread, size_t at) {
  struct instr *instr = &thread->code.at[at];
  if (!instr_is_access(instr)) return;
  struct width access = instr->width, location = draft->locations.at[instr->address.base].width;
  fit_written(draft, instr, kept(access, location));
  int reg = instr->reg;
  if (reg == NO_REG || !looks_otherwise(access, location)) return;
  struct instr *fit = draft_insert(draft, thread, at + 1, INSTR_ASSIGN, instr->span);
  fit->reg = reg;
  fit->value = draft_fit(draft, access, draft_register_value(draft, (unsigned)reg));
}

void ptx_fit_values(struct draft *draft) {
  for (size_t t = 0; t < draft->threads.count; t++)
    for (size_t i = 0; i < draft->threads.at[t].code.count; i++) join_types(draft, &draft->threads.at[t].code.at[i]);
  for (size_t t = 0; t < draft->threads.count; t++)
    for (size_t i = draft->threads.at[t].code.count; i-- > 0;) fit_access(draft, &draft->threads.at[t], i);
  for (size_t i = 0; i < draft->locations.count; i++) {
    struct draft_location *location = &draft->locations.at[i];
    location->width = draft->locations.at[location->physical].width;
    if (location->width.bits >= 64) location->width = (struct width){0};
  }
}

/* --- arithmetic ------------------------------------------------------------------------------ */

enum { MINIMUM = EXPR_KINDS, MAXIMUM };

static const struct expr *without_sign(struct draft *draft, int kind, const struct expr *a, const struct expr *b) {
  const struct expr *one = draft_constant(draft, 1);
  switch (kind) {
    case EXPR_DIV:
      return draft_operation(draft, EXPR_UDIV, a, b, NULL);
    case EXPR_MOD:
      return draft_operation(draft, EXPR_UMOD, a, b, NULL);
    case EXPR_SHR:
      return draft_operation(draft, EXPR_UDIV, a, draft_operation(draft, EXPR_SHL, one, b, NULL), NULL);
    case EXPR_LT:
      return draft_operation(draft, EXPR_ULT, a, b, NULL);
    case EXPR_GT:
      return draft_operation(draft, EXPR_ULT, b, a, NULL);
    case EXPR_LE:
    case EXPR_GE:
      return draft_operation(draft, EXPR_XOR, one, without_sign(draft, kind == EXPR_LE ? EXPR_GT : EXPR_LT, a, b),
                             NULL);
    default:
      return draft_operation(draft, (enum expr_kind)kind, a, b, NULL);
  }
}

static const struct expr *operate(struct draft *draft, struct width type, int kind, const struct expr *a,
                                  const struct expr *b) {
  if (kind == MINIMUM || kind == MAXIMUM) {
    bool least = kind == MINIMUM;
    return draft_operation(draft, EXPR_COND, operate(draft, type, EXPR_LT, a, b), least ? a : b, least ? b : a);
  }
  if (!type.is_signed) return without_sign(draft, kind, a, b);
  return draft_operation(draft, (enum expr_kind)kind, a, b, NULL);
}

/* By more than there are bits is by as many. */
static const struct expr *shift(struct draft *draft, struct width type, int kind, const struct expr *a,
                                const struct expr *b) {
  const struct expr *by = draft_fit(draft, (struct width){.bits = 32}, b), *most = draft_constant(draft, 63);
  const struct expr *beyond =
      kind == EXPR_SHR && type.is_signed ? draft_operation(draft, EXPR_SHR, a, most, NULL) : draft_constant(draft, 0);
  return draft_operation(draft, EXPR_COND, draft_operation(draft, EXPR_GT, by, most, NULL), beyond,
                         operate(draft, type, kind, a, by));
}

/* The operation that an opcode begins with; -1: another. */
static int take_operation(struct column_cell *cell, struct opcode *op) {
  static const struct word_row own[] = {{"min", MINIMUM}, {"max", MAXIMUM}, {NULL, 0}};
  static const struct word_row compare[] = {{"setp", 0}, {NULL, 0}}, low[] = {{"lo", 0}, {NULL, 0}};
  if (opcode_skip(op, compare) >= 0) return opcode_expect(cell, op, assembly_comparisons, "a comparison");
  int kind = opcode_skip(op, own);
  if (kind < 0) kind = opcode_skip(op, assembly_arithmetic);
  if (kind == EXPR_MUL) opcode_skip(op, low);
  return kind;
}

bool ptx_lower_arithmetic(struct column_cell *cell, struct opcode *op) {
  struct draft *draft = cell->draft;
  struct ptx_place place = {.type = {.bits = 64, .is_signed = true}};
  int kind = take_operation(cell, op);
  if (!op->next) return false;
  const struct token *type = op->next < op->count ? op->words[op->next] : NULL;
  ptx_take_type(op, &place);
  opcode_end(cell, op);
  if (place.type.is_real) reader_fail(cell->reader, type->span, "not supported: arithmetic of floats");
  const struct expr *operands[2];
  struct instr *instr = assembly_operation(cell, op, operands);
  const struct expr *a = draft_fit(draft, place.type, operands[0]);
  if (kind == EXPR_SHL || kind == EXPR_SHR)
    instr->value = shift(draft, place.type, kind, a, operands[1]);
  else
    instr->value = operate(draft, place.type, kind, a, draft_fit(draft, place.type, operands[1]));
  instr->value = draft_fit(draft, place.type, instr->value);
  return true;
}
