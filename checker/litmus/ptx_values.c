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
 *   setp.CMP[.BOOL][.type]   register, value, value [, value]        1 or 0
 *   set.CMP.dtype.stype      register, value, value                  all bits or 0
 *   functions (below), with as many values as their table says
 *
 * Arithmetic without a type is of 64 bits with a sign.
 */
#include <string.h>

#include "checker/base/array.h"
#include "checker/litmus/ptx_qualifiers.h"

static void join_types(struct draft *draft, const struct instr *instr) {
  if (!instr_is_access(instr) || ptx_location_of(draft, instr->address.base)->mbarrier) return;
  struct width *width = &ptx_location_of(draft, instr->address.base)->width;
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
  struct width access = instr->width, location = ptx_location_of(draft, instr->address.base)->width;
  fit_written(draft, instr, kept(access, location));
  int reg = instr->reg;
  if (reg == NO_REG || !looks_otherwise(access, location)) return;
  struct instr *fit = draft_insert(draft, thread, at + 1, INSTR_ASSIGN, instr->span);
  fit->reg = reg;
  fit->value = draft_fit(draft, access, draft_register_value(draft, (unsigned)reg));
}

/* Floats have as many bits as their type has, and sums of them are IEEE's, where the test computes with floats; else
 * they are numbers that fit in anything.  Sums in global memory flush (ISA, "atom"). */
static void fit_float(struct draft *draft, struct instr *instr) {
  const struct ptx_test *test = draft->own;
  if (!instr_is_access(instr) || !instr->width.is_real) return;
  if (!test->floats) instr->width.bits = 64;
  if (!test->floats || instr->kind != INSTR_RMW || instr->op != RMW_ADD) return;
  bool local = ptx_location_of(draft, instr->address.base)->regions == REGION_LOCAL;
  instr->op = instr->width.bits == 64 ? RMW_FADD_LONG : local ? RMW_FADD : RMW_FADD_FLUSH;
}

void ptx_fit_values(struct draft *draft) {
  const struct ptx_test *test = draft->own;
  if (test->floats && test->sum)
    reader_fail(&draft->reader, test->sum->span,
                "not supported: this sum of floats, in a test that computes with them");
  for (size_t t = 0; t < draft->threads.count; t++)
    for (size_t i = 0; i < draft->threads.at[t].code.count; i++) fit_float(draft, &draft->threads.at[t].code.at[i]);
  for (size_t t = 0; t < draft->threads.count; t++)
    for (size_t i = 0; i < draft->threads.at[t].code.count; i++) join_types(draft, &draft->threads.at[t].code.at[i]);
  for (size_t t = 0; t < draft->threads.count; t++)
    for (size_t i = draft->threads.at[t].code.count; i-- > 0;) fit_access(draft, &draft->threads.at[t], i);
  ARRAY_EACH (struct draft_location, location, draft->locations.at, draft->locations.count) {
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

/* --- functions ------------------------------------------------------------------------------- */

enum part { LOW, HIGH, WIDE };

/* What the name of an instruction says. */
struct ptx_form {
  struct width type, from; /* of the result, and of the operands where the name has two types */
  const struct token *typed;
  enum part part;
  bool right, clamp, saturates, from_top;
};

typedef const struct expr *value_t;

static const struct width word = {.bits = 32}, anything = {.bits = 64};

/* To the right, without sign; by at most 63. */
static value_t down(struct draft *draft, value_t a, value_t by) {
  return without_sign(draft, EXPR_SHR, a, by);
}

/* So many ones, of up to 64. */
static value_t ones(struct draft *draft, value_t count) {
  value_t some =
      draft_with_constant(draft, EXPR_SUB, draft_binary(draft, EXPR_SHL, draft_constant(draft, 1), count), 1);
  return draft_conditional(draft, draft_with_constant(draft, EXPR_GT, count, 63), draft_constant(draft, -1), some);
}

static value_t move(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  (void)draft, (void)form;
  return of[0];
}

static value_t complement(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  return form->type.bits == 1 ? draft_with_constant(draft, EXPR_EQ, of[0], 0)
                              : draft_with_constant(draft, EXPR_XOR, of[0], -1);
}

static value_t is_zero(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  (void)form;
  return draft_with_constant(draft, EXPR_EQ, of[0], 0);
}

static value_t negate(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  (void)form;
  return draft_binary(draft, EXPR_SUB, draft_constant(draft, 0), of[0]);
}

static value_t magnitude(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  return draft_conditional(draft, draft_with_constant(draft, EXPR_LT, of[0], 0), negate(draft, form, of), of[0]);
}

/* Sums of pairs of bits, of fours, of eights, and of all eights. */
static value_t count_ones(struct draft *draft, value_t a) {
  value_t pairs = draft_binary(
      draft, EXPR_SUB, a,
      draft_with_constant(draft, EXPR_AND, draft_with_constant(draft, EXPR_SHR, a, 1), 0x5555555555555555));
  value_t fours = draft_binary(
      draft, EXPR_ADD, draft_with_constant(draft, EXPR_AND, pairs, 0x3333333333333333),
      draft_with_constant(draft, EXPR_AND, draft_with_constant(draft, EXPR_SHR, pairs, 2), 0x3333333333333333));
  value_t bytes = draft_with_constant(
      draft, EXPR_AND, draft_binary(draft, EXPR_ADD, fours, draft_with_constant(draft, EXPR_SHR, fours, 4)),
      0x0f0f0f0f0f0f0f0f);
  return draft_with_constant(
      draft, EXPR_AND,
      draft_with_constant(draft, EXPR_SHR, draft_with_constant(draft, EXPR_MUL, bytes, 0x0101010101010101), 56), 0x7f);
}

static value_t population(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  (void)form;
  return count_ones(draft, of[0]);
}

/* How many bits there are up to the highest one. */
static value_t bit_length(struct draft *draft, value_t a) {
  for (int by = 1; by < 64; by *= 2) a = draft_binary(draft, EXPR_OR, a, down(draft, a, draft_constant(draft, by)));
  return count_ones(draft, a);
}

static value_t leading_zeros(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  return draft_binary(draft, EXPR_SUB, draft_constant(draft, form->type.bits), bit_length(draft, of[0]));
}

/* Without one, a word of ones.  `shiftamt`: how far it is from the top. */
static value_t highest_bit(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  value_t a = form->from.is_signed ? draft_conditional(draft, draft_with_constant(draft, EXPR_LT, of[0], 0),
                                                       complement(draft, form, of), of[0])
                                   : of[0];
  value_t found = draft_with_constant(draft, EXPR_SUB, bit_length(draft, a), 1);
  value_t from_top = draft_binary(draft, EXPR_SUB, draft_constant(draft, form->from.bits - 1), found);
  return form->from_top ? draft_conditional(draft, draft_with_constant(draft, EXPR_EQ, a, 0), found, from_top) : found;
}

static value_t reverse(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  static const int64_t masks[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                  0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  value_t a = of[0];
  for (int i = 0, by = 1; by < (int)form->type.bits; by *= 2, i++)
    a = draft_binary(draft, EXPR_OR,
                     draft_with_constant(draft, EXPR_AND, down(draft, a, draft_constant(draft, by)), masks[i]),
                     draft_with_constant(draft, EXPR_SHL, draft_with_constant(draft, EXPR_AND, a, masks[i]), by));
  return a;
}

static value_t multiply(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  value_t product = draft_binary(draft, EXPR_MUL, of[0], of[1]), bits = draft_constant(draft, form->from.bits);
  if (form->part != HIGH) return product;
  return form->from.is_signed ? draft_binary(draft, EXPR_SHR, product, bits) : down(draft, product, bits);
}

static value_t multiply_add(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  return draft_binary(draft, EXPR_ADD, multiply(draft, form, of), of[2]);
}

/* Of 24 bits of each; the high part of the product is that above its lowest 16. */
static value_t multiply_24(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  struct width bits = {.bits = 24, .is_signed = form->from.is_signed};
  value_t product = draft_binary(draft, EXPR_MUL, draft_fit(draft, bits, of[0]), draft_fit(draft, bits, of[1]));
  return form->part == HIGH ? draft_with_constant(draft, EXPR_SHR, product, 16) : product;
}

static value_t multiply_add_24(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  return draft_binary(draft, EXPR_ADD, multiply_24(draft, form, of), of[2]);
}

static value_t distance(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  value_t less = operate(draft, form->type, EXPR_LT, of[0], of[1]);
  return draft_binary(draft, EXPR_ADD, of[2],
                      draft_conditional(draft, less, draft_binary(draft, EXPR_SUB, of[1], of[0]),
                                        draft_binary(draft, EXPR_SUB, of[0], of[1])));
}

static value_t low_byte(struct draft *draft, value_t a) {
  return draft_with_constant(draft, EXPR_AND, a, 0xff);
}

static value_t extract_bits(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  value_t position = low_byte(draft, of[1]), length = low_byte(draft, of[2]);
  value_t moved = shift(draft, form->type, EXPR_SHR, of[0], position);
  if (!form->type.is_signed) return draft_binary(draft, EXPR_AND, moved, ones(draft, length));
  value_t unused = draft_binary(draft, EXPR_SUB, draft_constant(draft, 64), length);
  value_t some = draft_binary(draft, EXPR_SHR, draft_binary(draft, EXPR_SHL, moved, unused), unused);
  value_t kept = draft_conditional(draft, draft_with_constant(draft, EXPR_GT, length, 63), moved, some);
  return draft_conditional(draft, draft_with_constant(draft, EXPR_EQ, length, 0), draft_constant(draft, 0), kept);
}

static value_t insert_bits(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  value_t position = low_byte(draft, of[2]), field = ones(draft, low_byte(draft, of[3]));
  value_t here = shift(draft, anything, EXPR_SHL, field, position);
  value_t inserted = draft_binary(draft, EXPR_AND, shift(draft, form->type, EXPR_SHL, of[0], position), here);
  return draft_binary(draft, EXPR_OR,
                      draft_binary(draft, EXPR_AND, of[1], draft_with_constant(draft, EXPR_XOR, here, -1)), inserted);
}

/* Two words, the second one above the first. */
static value_t join(struct draft *draft, value_t low, value_t high) {
  return draft_binary(draft, EXPR_OR, draft_fit(draft, word, low), draft_with_constant(draft, EXPR_SHL, high, 32));
}

/* Each digit of the third operand says which byte goes there, and whether its sign does. */
static value_t permute(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  (void)form;
  value_t bytes = join(draft, of[0], of[1]), result = draft_constant(draft, 0);
  for (int i = 0; i < 4; i++) {
    value_t digit = draft_with_constant(draft, EXPR_SHR, of[2], 4 * i);
    value_t byte = low_byte(
        draft,
        down(draft, bytes, draft_with_constant(draft, EXPR_MUL, draft_with_constant(draft, EXPR_AND, digit, 7), 8)));
    value_t sign = draft_with_constant(draft, EXPR_MUL, draft_with_constant(draft, EXPR_GT, byte, 0x7f), 0xff);
    byte = draft_conditional(draft, draft_with_constant(draft, EXPR_AND, digit, 8), sign, byte);
    result = draft_binary(draft, EXPR_OR, result, draft_with_constant(draft, EXPR_SHL, byte, 8 * i));
  }
  return result;
}

static value_t funnel(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  value_t by = draft_fit(draft, word, of[2]), bits = join(draft, of[0], of[1]);
  by = form->clamp
           ? draft_conditional(draft, draft_with_constant(draft, EXPR_GT, by, 32), draft_constant(draft, 32), by)
           : draft_with_constant(draft, EXPR_AND, by, 31);
  if (form->right) return down(draft, bits, by);
  return draft_with_constant(draft, EXPR_SHR, draft_binary(draft, EXPR_SHL, bits, by), 32);
}

/* The third operand chooses: each bit says whether one combination of the operands' bits gives 1. */
static value_t combine_bits(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  (void)form;
  value_t result = draft_constant(draft, 0);
  for (int i = 0; i < 8; i++) {
    value_t chosen =
        draft_binary(draft, EXPR_SUB, draft_constant(draft, 0),
                     draft_with_constant(draft, EXPR_AND, draft_with_constant(draft, EXPR_SHR, of[3], i), 1));
    for (int k = 0; k < 3; k++)
      chosen = draft_binary(draft, EXPR_AND, chosen,
                            i >> (2 - k) & 1 ? of[k] : draft_with_constant(draft, EXPR_XOR, of[k], -1));
    result = draft_binary(draft, EXPR_OR, result, chosen);
  }
  return result;
}

static value_t choose(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  (void)form;
  return draft_conditional(draft, of[2], of[0], of[1]);
}

static value_t choose_by_sign(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  value_t sign = draft_fit(draft, form->from, of[2]);
  return draft_conditional(draft, draft_with_constant(draft, EXPR_GE, sign, 0), of[0], of[1]);
}

/* With `sat`, what is beyond the ends of the type becomes these. */
static value_t convert(struct draft *draft, const struct ptx_form *form, const value_t *of) {
  value_t value = draft_fit(draft, form->from, of[0]);
  unsigned bits = form->type.bits - form->type.is_signed;
  int64_t most = bits > 62 ? INT64_MAX : ((int64_t)1 << bits) - 1, least = form->type.is_signed ? -most - 1 : 0;
  if (!form->saturates) return value;
  value_t above = operate(draft, form->from, EXPR_GT, value, draft_constant(draft, most));
  value = draft_conditional(draft, above, draft_constant(draft, most), value);
  if (!form->from.is_signed) return value;
  return draft_conditional(draft, draft_with_constant(draft, EXPR_LT, value, least), draft_constant(draft, least),
                           value);
}

/* Operands that are no numbers of the operands' type: how far, where, which, and values between which it chooses. */
enum { FIRST_IS_OTHER = 1, SECOND_IS_OTHER = 2, THIRD_IS_OTHER = 4, FOURTH_IS_OTHER = 8 };

static const struct function {
  const char *word;
  value_t (*value)(struct draft *draft, const struct ptx_form *form, const value_t *of);
  unsigned operands, others;
} functions[] = {
    {"mov", move, 1, 0},
    {"not", complement, 1, 0},
    {"cnot", is_zero, 1, 0},
    {"neg", negate, 1, 0},
    {"abs", magnitude, 1, 0},
    {"cvt", convert, 1, FIRST_IS_OTHER},
    {"popc", population, 1, 0},
    {"clz", leading_zeros, 1, 0},
    {"brev", reverse, 1, 0},
    {"bfind", highest_bit, 1, 0},
    {"mul", multiply, 2, 0},
    {"mul24", multiply_24, 2, 0},
    {"mad24", multiply_add_24, 3, THIRD_IS_OTHER},
    {"mad", multiply_add, 3, THIRD_IS_OTHER},
    {"sad", distance, 3, 0},
    {"bfe", extract_bits, 3, SECOND_IS_OTHER | THIRD_IS_OTHER},
    {"bfi", insert_bits, 4, THIRD_IS_OTHER | FOURTH_IS_OTHER},
    {"prmt", permute, 3, 0},
    {"shf", funnel, 3, 0},
    {"lop3", combine_bits, 4, FOURTH_IS_OTHER},
    {"selp", choose, 3, THIRD_IS_OTHER},
    {"slct", choose_by_sign, 3, FIRST_IS_OTHER | SECOND_IS_OTHER | THIRD_IS_OTHER},
};

/* A type, or `pred`. */
static void take_type(struct opcode *op, struct width *type) {
  struct ptx_place place = {.type = *type};
  if (opcode_skip_word(op, "pred")) place.type = (struct width){.bits = 1};
  ptx_take_type(op, &place);
  *type = place.type;
}

static bool take_form(struct column_cell *cell, struct opcode *op, struct ptx_form *form) {
  static const struct word_row parts[] = {{"lo", LOW}, {"hi", HIGH}, {"wide", WIDE}, {NULL, 0}};
  static const struct word_row sides[] = {{"l", false}, {"r", true}, {NULL, 0}};
  static const struct word_row modes[] = {{"clamp", true}, {"wrap", false}, {NULL, 0}};
  *form = (struct ptx_form){.type = {.bits = 64, .is_signed = true}};
  int part = opcode_skip(op, parts);
  form->part = part > 0 ? (enum part)part : LOW;
  form->right = opcode_skip(op, sides) > 0;
  form->clamp = opcode_skip(op, modes) > 0;
  form->saturates = opcode_skip_word(op, "sat");
  form->from_top = opcode_skip_word(op, "shiftamt");
  form->typed = op->next < op->count ? op->words[op->next] : op->words[0];
  take_type(op, &form->type);
  form->from = form->type;
  take_type(op, &form->from);
  opcode_end(cell, op);
  if (form->type.is_real || form->from.is_real)
    reader_fail(cell->reader, form->typed->span, "not supported: arithmetic of this type");
  else if (form->part != LOW && form->type.bits > 32)
    reader_fail(cell->reader, form->typed->span, "not supported: a product of 128 bits");
  if (form->part == WIDE) form->type.bits *= 2;
  if (token_is(op->words[0], "bfind")) form->type = word; /* of the result, whatever the operand's */
  return !cell->reader->failed;
}

static const struct function *find_function(struct opcode *op) {
  for (size_t i = 0; i < ARRAY_COUNT(functions); i++)
    if (token_is(op->words[0], functions[i].word)) return &functions[i];
  return NULL;
}

/* False, having taken nothing, when the opcode is another, or one that ptx_vulkan_syntax.h knows. */
static bool lower_function(struct column_cell *cell, struct opcode *op) {
  const struct function *function = find_function(op);
  struct ptx_form form;
  value_t operands[4];
  if (!function || (op->count == 1 && strcmp(function->word, "mov") != 0)) return false;
  op->next = 1;
  if (!take_form(cell, op, &form)) return true;
  int reg = assembly_destination(cell);
  for (unsigned i = 0; i < function->operands; i++) {
    static const char *const usages[] = {"", "register, value", "register, value, value",
                                         "register, value, value, value", "register, value, value, value, value"};
    assembly_comma(cell, op, usages[function->operands]);
    operands[i] = assembly_value(cell);
    if (!(function->others >> i & 1)) operands[i] = draft_fit(cell->draft, form.from, operands[i]);
  }
  assembly_assign(cell, op, reg, draft_fit(cell->draft, form.type, function->value(cell->draft, &form, operands)));
  return true;
}

/* --- operations on two values ------------------------------------------------------------------ */

/* Comparisons without sign have words of their own, too. */
static const struct word_row unsigned_comparisons[] = {
    {"lo", EXPR_LT}, {"ls", EXPR_LE}, {"hi", EXPR_GT}, {"hs", EXPR_GE}, {NULL, 0}};

/* `setp.lt.and.u32 p, a, b, q`, and `set.lt.u32.s32 r, a, b`. */
static void lower_comparison(struct column_cell *cell, struct opcode *op, bool set) {
  static const struct word_row joins[] = {{"and", EXPR_AND}, {"or", EXPR_OR}, {"xor", EXPR_XOR}, {NULL, 0}};
  struct draft *draft = cell->draft;
  struct ptx_form form;
  int kind = opcode_skip(op, unsigned_comparisons);
  if (kind < 0) kind = opcode_expect(cell, op, assembly_comparisons, "a comparison");
  int joined = opcode_skip(op, joins);
  if (kind < 0 || !take_form(cell, op, &form)) return;
  const struct expr *operands[2];
  assembly_operation(cell, op, operands);
  size_t at = cell->thread->code.count - 1;
  value_t result = operate(draft, form.from, kind, draft_fit(draft, form.from, operands[0]),
                           draft_fit(draft, form.from, operands[1]));
  if (joined >= 0) {
    assembly_comma(cell, op, "register, value, value, predicate");
    result = draft_binary(draft, (enum expr_kind)joined, result,
                          draft_with_constant(draft, EXPR_NE, assembly_value(cell), 0));
  }
  struct instr *instr = &cell->thread->code.at[at];
  instr->value = set ? draft_fit(draft, form.type, negate(draft, &form, &result)) : result;
}

/* The operation that an opcode begins with; -1: another. */
static int take_operation(struct opcode *op) {
  static const struct word_row own[] = {{"min", MINIMUM}, {"max", MAXIMUM}, {NULL, 0}};
  int kind = opcode_skip(op, own);
  return kind < 0 ? opcode_skip(op, assembly_arithmetic) : kind;
}

bool ptx_lower_arithmetic(struct column_cell *cell, struct opcode *op) {
  static const struct word_row compare[] = {{"setp", false}, {"set", true}, {NULL, 0}};
  struct draft *draft = cell->draft;
  if (ptx_lower_floats(cell, op) || lower_function(cell, op)) return true;
  int set = op->count > 2 || token_is(op->words[0], "setp") ? opcode_skip(op, compare) : -1;
  if (set >= 0) {
    lower_comparison(cell, op, set);
    return true;
  }
  int kind = take_operation(op);
  if (!op->next) return false;
  struct ptx_form form;
  if (!take_form(cell, op, &form)) return true;
  const struct expr *operands[2];
  struct instr *instr = assembly_operation(cell, op, operands);
  value_t a = draft_fit(draft, form.type, operands[0]);
  if (kind == EXPR_SHL || kind == EXPR_SHR)
    instr->value = shift(draft, form.type, kind, a, operands[1]);
  else
    instr->value = operate(draft, form.type, kind, a, draft_fit(draft, form.type, operands[1]));
  instr->value = draft_fit(draft, form.type, instr->value);
  return true;
}
