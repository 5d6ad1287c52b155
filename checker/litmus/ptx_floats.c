/* SPDX-License-Identifier: MIT */
/* PTX's arithmetic of floats, on their bits: IEEE's, rounded to the nearest (of two, to the even one).
 *
 *   add | sub | mul | div | min | max | copysign [.words] .type   register, value, value
 *   fma | mad .rn [.words] .f32                                   register, value, value, value
 *   neg | abs | rcp | mov [.words] .type                          register, value
 *   cvt [.words] .type .type                                      register, value
 *   setp .CMP [.BOOL] [.ftz] .type, set .CMP [.BOOL] [.ftz] .type .type
 *   selp .type, slct [.ftz] .type .type                           register, value, value, value
 *
 * `.ftz` takes floats of 32 bits below the normal ones as 0, among operands and among results; `.sat` keeps results
 * from 0 to 1.  What the ISA leaves open (`.approx`, `.full`) and what rounds in another direction is refused.  Sums of
 * products without `.rn` are not fused, as ptxas may do.
 */
#include <math.h>

#include "checker/base/array.h"
#include "checker/base/number.h"
#include "checker/litmus/ptx_qualifiers.h"

typedef const struct expr *value_t;

enum modifier { ROUND, TO_EVEN, TRUNCATE, DOWN, UP, FLUSH, SATURATE, KEEP_NAN, DIRECTED, OPEN };
enum { INTEGRAL = 1 << TO_EVEN | 1 << TRUNCATE | 1 << DOWN | 1 << UP };

/* What the name of an instruction says. */
struct float_form {
  struct width type, from; /* of the result; of the operands */
  unsigned modifiers;      /* 1 << enum modifier */
};

/* ---- values ---- */

static value_t one(struct draft *draft, enum expr_kind kind, value_t a) {
  return draft_operation(draft, kind, a, NULL, NULL);
}

static value_t real(struct draft *draft, double value) {
  return draft_constant(draft, bits_of_double(value));
}

static value_t contrary(struct draft *draft, value_t a) {
  return draft_with_constant(draft, EXPR_EQ, a, 0);
}

static value_t widened(struct draft *draft, struct width type, value_t a) {
  if (type.bits == 64) return a;
  return one(draft, type.bits == 16 ? EXPR_HWIDEN : EXPR_FWIDEN, a);
}

static value_t narrowed(struct draft *draft, struct width type, value_t a) {
  if (type.bits == 64) return a;
  return one(draft, type.bits == 16 ? EXPR_HNARROW : EXPR_FNARROW, a);
}

static value_t flushed(struct draft *draft, const struct float_form *form, struct width type, value_t bits) {
  bool flushes = form->modifiers >> FLUSH & 1 && type.is_real && type.bits == 32;
  return flushes ? expr_flush(draft->reader.arena, bits, expr_operation) : bits;
}

static int64_t sign_of(struct width type) {
  return INT64_MIN >> (64 - type.bits);
}

static value_t arithmetic(struct draft *draft, const struct float_form *form, enum expr_kind kind, value_t a,
                          value_t b) {
  value_t result = draft_binary(draft, kind, widened(draft, form->type, a), widened(draft, form->type, b));
  return narrowed(draft, form->type, result);
}

static value_t add(struct draft *draft, const struct float_form *form, const value_t *of) {
  return arithmetic(draft, form, EXPR_FADD, of[0], of[1]);
}

static value_t subtract(struct draft *draft, const struct float_form *form, const value_t *of) {
  return arithmetic(draft, form, EXPR_FSUB, of[0], of[1]);
}

static value_t multiply(struct draft *draft, const struct float_form *form, const value_t *of) {
  return arithmetic(draft, form, EXPR_FMUL, of[0], of[1]);
}

static value_t divide(struct draft *draft, const struct float_form *form, const value_t *of) {
  return arithmetic(draft, form, EXPR_FDIV, of[0], of[1]);
}

static value_t reciprocal(struct draft *draft, const struct float_form *form, const value_t *of) {
  return narrowed(draft, form->type, draft_binary(draft, EXPR_FDIV, real(draft, 1), widened(draft, form->type, of[0])));
}

/* Of floats of 32 bits: their products are doubles. */
static value_t fuse(struct draft *draft, const struct float_form *form, const value_t *of) {
  value_t product =
      draft_binary(draft, EXPR_FMUL, widened(draft, form->type, of[0]), widened(draft, form->type, of[1]));
  return draft_binary(draft, EXPR_FADDF, product, widened(draft, form->type, of[2]));
}

static value_t negate(struct draft *draft, const struct float_form *form, const value_t *of) {
  return draft_with_constant(draft, EXPR_XOR, of[0], sign_of(form->type));
}

static value_t magnitude(struct draft *draft, const struct float_form *form, const value_t *of) {
  return draft_with_constant(draft, EXPR_AND, of[0], ~sign_of(form->type));
}

/* The sign of the first, and the magnitude of the second. */
static value_t copy_sign(struct draft *draft, const struct float_form *form, const value_t *of) {
  return draft_binary(draft, EXPR_OR, magnitude(draft, form, of + 1),
                      draft_with_constant(draft, EXPR_AND, of[0], sign_of(form->type)));
}

/* Of two, the first if `least`; equal ones have the same bits, but for zeros.  What is no number gives way to the
 * other one, or, with `NaN`, does not. */
static value_t extreme(struct draft *draft, const struct float_form *form, const value_t *of, bool least) {
  value_t a = widened(draft, form->type, of[0]), b = widened(draft, form->type, of[1]);
  value_t less = least ? draft_binary(draft, EXPR_FLT, a, b) : draft_binary(draft, EXPR_FLT, b, a);
  value_t both = draft_binary(draft, least ? EXPR_OR : EXPR_AND, of[0], of[1]);
  value_t chosen =
      draft_conditional(draft, draft_binary(draft, EXPR_FEQ, a, b), both, draft_conditional(draft, less, of[0], of[1]));
  value_t a_counts = draft_binary(draft, EXPR_FEQ, a, a), b_counts = draft_binary(draft, EXPR_FEQ, b, b);
  bool keeps = form->modifiers >> KEEP_NAN & 1;
  return draft_conditional(draft, a_counts, draft_conditional(draft, b_counts, chosen, of[keeps]), of[!keeps]);
}

static value_t minimum(struct draft *draft, const struct float_form *form, const value_t *of) {
  return extreme(draft, form, of, true);
}

static value_t maximum(struct draft *draft, const struct float_form *form, const value_t *of) {
  return extreme(draft, form, of, false);
}

static value_t move(struct draft *draft, const struct float_form *form, const value_t *of) {
  (void)draft, (void)form;
  return of[0];
}

static value_t choose(struct draft *draft, const struct float_form *form, const value_t *of) {
  (void)form;
  return draft_conditional(draft, of[2], of[0], of[1]);
}

static value_t choose_by_sign(struct draft *draft, const struct float_form *form, const value_t *of) {
  if (!form->from.is_real)
    return draft_conditional(draft, draft_with_constant(draft, EXPR_GE, draft_fit(draft, form->from, of[2]), 0), of[0],
                             of[1]);
  value_t by = widened(draft, form->from, flushed(draft, form, form->from, of[2])), zero = real(draft, 0);
  value_t positive =
      draft_binary(draft, EXPR_LOR, draft_binary(draft, EXPR_FEQ, by, zero), draft_binary(draft, EXPR_FLT, zero, by));
  return draft_conditional(draft, positive, of[0], of[1]);
}

/* ---- conversions ---- */

/* A double as a whole number; from 2^52 on, it is one. */
static value_t whole(struct draft *draft, const struct float_form *form, value_t a) {
  const double large = 4503599627370496;
  value_t sign = draft_with_constant(draft, EXPR_AND, a, INT64_MIN),
          cut = one(draft, EXPR_FFROM, one(draft, EXPR_FTO, a));
  value_t result = cut;
  if (form->modifiers >> TO_EVEN & 1) {
    value_t shift = draft_with_constant(draft, EXPR_OR, sign, bits_of_double(large));
    result = draft_binary(draft, EXPR_FSUB, draft_binary(draft, EXPR_FADD, a, shift), shift);
  } else if (form->modifiers >> DOWN & 1) {
    result = draft_conditional(draft, draft_binary(draft, EXPR_FLT, a, cut),
                               draft_binary(draft, EXPR_FSUB, cut, real(draft, 1)), cut);
  } else if (form->modifiers >> UP & 1) {
    result = draft_conditional(draft, draft_binary(draft, EXPR_FLT, cut, a),
                               draft_binary(draft, EXPR_FADD, cut, real(draft, 1)), cut);
  }
  value_t fits = draft_binary(draft, EXPR_FLT, draft_with_constant(draft, EXPR_AND, a, INT64_MAX), real(draft, large));
  return draft_conditional(draft, fits, draft_binary(draft, EXPR_OR, result, sign), a);
}

/* What does not fit becomes the nearest that does, and what is no number 0, or the top bit. */
static value_t to_integer(struct draft *draft, const struct float_form *form, value_t a) {
  bool has_sign = form->type.is_signed, small = form->type.bits < 64 && form->from.bits < 64;
  unsigned bits = form->type.bits;
  double top = ldexp(1, (int)bits - has_sign);
  int64_t least = has_sign ? INT64_MIN >> (64 - bits) : 0, most = has_sign ? INT64_MAX >> (64 - bits) : -1;
  value_t number = one(draft, has_sign ? EXPR_FTO : EXPR_FTOU, a);
  number = draft_conditional(draft, draft_binary(draft, EXPR_FLT, a, real(draft, has_sign ? -top : 0)),
                             draft_constant(draft, least), number);
  number =
      draft_conditional(draft, draft_binary(draft, EXPR_FLT, a, real(draft, top)), number, draft_constant(draft, most));
  value_t none = draft_constant(draft, small ? 0 : INT64_MIN >> (64 - bits));
  return draft_conditional(draft, draft_binary(draft, EXPR_FEQ, a, a), number, none);
}

/* Of 64 bits as a float of 32, the upper and the lower half, which are doubles: so it is rounded once. */
static value_t from_integer(struct draft *draft, const struct float_form *form, value_t a) {
  enum expr_kind convert = form->from.is_signed ? EXPR_FFROM : EXPR_FFROMU;
  a = draft_fit(draft, form->from, a);
  if (form->from.bits < 64 || form->type.bits != 32) return narrowed(draft, form->type, one(draft, convert, a));
  value_t upper = draft_with_constant(draft, EXPR_SHR, a, 32),
          lower = draft_with_constant(draft, EXPR_AND, a, UINT32_MAX);
  if (!form->from.is_signed) upper = draft_with_constant(draft, EXPR_AND, upper, UINT32_MAX);
  return draft_binary(draft, EXPR_FADDF,
                      draft_binary(draft, EXPR_FMUL, one(draft, convert, upper), real(draft, ldexp(1, 32))),
                      one(draft, convert, lower));
}

static value_t convert(struct draft *draft, const struct float_form *form, const value_t *of) {
  if (!form->from.is_real) return from_integer(draft, form, of[0]);
  value_t a = widened(draft, form->from, flushed(draft, form, form->from, of[0]));
  if (form->modifiers & INTEGRAL) a = whole(draft, form, a);
  return form->type.is_real ? narrowed(draft, form->type, a) : to_integer(draft, form, a);
}

/* ---- functions ---- */

/* Operands that are not of the result's type: how they are read is the function's own. */
enum { FIRST_IS_OTHER = 1, THIRD_IS_OTHER = 4 };

static const struct function {
  const char *word;
  value_t (*value)(struct draft *draft, const struct float_form *form, const value_t *of);
  unsigned operands, others, modifiers;
} functions[] = {
    {"add", add, 2, 0, 1 << ROUND | 1 << FLUSH | 1 << SATURATE},
    {"sub", subtract, 2, 0, 1 << ROUND | 1 << FLUSH | 1 << SATURATE},
    {"mul", multiply, 2, 0, 1 << ROUND | 1 << FLUSH | 1 << SATURATE},
    {"div", divide, 2, 0, 1 << ROUND | 1 << FLUSH},
    {"rcp", reciprocal, 1, 0, 1 << ROUND | 1 << FLUSH},
    {"fma", fuse, 3, 0, 1 << ROUND | 1 << FLUSH | 1 << SATURATE},
    {"mad", fuse, 3, 0, 1 << ROUND | 1 << FLUSH | 1 << SATURATE},
    {"neg", negate, 1, 0, 1 << FLUSH},
    {"abs", magnitude, 1, 0, 1 << FLUSH},
    {"min", minimum, 2, 0, 1 << FLUSH | 1 << KEEP_NAN},
    {"max", maximum, 2, 0, 1 << FLUSH | 1 << KEEP_NAN},
    {"copysign", copy_sign, 2, 0, 0},
    {"mov", move, 1, 0, 0},
    {"selp", choose, 3, THIRD_IS_OTHER, 0},
    {"slct", choose_by_sign, 3, THIRD_IS_OTHER, 1 << FLUSH},
    {"cvt", convert, 1, FIRST_IS_OTHER, 1 << ROUND | INTEGRAL | 1 << FLUSH | 1 << SATURATE},
};

static bool is_real_type(const struct token *word) {
  return token_is(word, "f16") || token_is(word, "f32") || token_is(word, "f64");
}

static bool names_real_type(const struct opcode *op) {
  for (unsigned i = 1; i < op->count; i++)
    if (is_real_type(op->words[i])) return true;
  return false;
}

static const struct function *find_function(const struct opcode *op) {
  for (size_t i = 0; i < ARRAY_COUNT(functions); i++)
    if (token_is(op->words[0], functions[i].word)) return &functions[i];
  return NULL;
}

static void refuse_modifier(struct column_cell *cell, const struct opcode *op, int modifier) {
  const struct token *word = op->words[op->next - 1];
  if (modifier == OPEN || modifier == DIRECTED)
    reader_fail(
        cell->reader, word->span, "'.%s' is not modelled: %s", word->text,
        modifier == OPEN ? "the ISA leaves open how the result is rounded" : "floats are rounded to the nearest here");
  else
    reader_fail(cell->reader, word->span, "'.%s' is not a word that '%s' of floats can have", word->text,
                op->words[0]->text);
}

static void take_type(struct opcode *op, struct width *type) {
  struct ptx_place place = {.type = *type};
  ptx_take_type(op, &place);
  *type = place.type;
}

/* The words before the types, and these; false after a failure. */
static bool take_form(struct column_cell *cell, struct opcode *op, unsigned allowed, struct float_form *form) {
  static const struct word_row modifiers[] = {{"rn", ROUND},    {"rni", TO_EVEN}, {"rzi", TRUNCATE}, {"rmi", DOWN},
                                              {"rpi", UP},      {"ftz", FLUSH},   {"sat", SATURATE}, {"NaN", KEEP_NAN},
                                              {"rz", DIRECTED}, {"rm", DIRECTED}, {"rp", DIRECTED},  {"approx", OPEN},
                                              {"full", OPEN},   {NULL, 0}};
  *form = (struct float_form){0};
  for (int modifier; (modifier = opcode_skip(op, modifiers)) >= 0; form->modifiers |= 1u << modifier)
    if (!(allowed >> modifier & 1)) refuse_modifier(cell, op, modifier);
  take_type(op, &form->type);
  form->from = form->type;
  take_type(op, &form->from);
  opcode_end(cell, op);
  return !cell->reader->failed;
}

static void check_function(struct column_cell *cell, const struct opcode *op, const struct function *function,
                           const struct float_form *form) {
  bool converts = function->value == convert, whole = form->modifiers & INTEGRAL;
  const struct token *name = op->words[0];
  if (function->value == fuse && form->type.bits != 32)
    reader_fail(cell->reader, name->span, "not supported: a product and a sum rounded together, of %u bits",
                form->type.bits);
  else if (converts && form->from.is_real && !form->type.is_real && !whole)
    reader_fail(cell->reader, name->span,
                "expected '.rni', '.rzi', '.rmi' or '.rpi' where an integer is made of a float");
  else if (!converts && !form->type.is_real)
    reader_fail(cell->reader, name->span, "'%s' of floats gives one", name->text);
}

/* From 0 to 1; what is no number is 0. */
static value_t saturated(struct draft *draft, const struct float_form *form, value_t bits) {
  value_t a = widened(draft, form->type, bits), zero = real(draft, 0), most = real(draft, 1);
  value_t top =
      draft_conditional(draft, draft_binary(draft, EXPR_FLT, a, most), bits, narrowed(draft, form->type, most));
  return draft_conditional(draft, draft_binary(draft, EXPR_FLT, zero, a), top, draft_constant(draft, 0));
}

static void lower_function(struct column_cell *cell, struct opcode *op, const struct function *function) {
  static const char *const usages[] = {"", "register, value", "register, value, value",
                                       "register, value, value, value"};
  struct draft *draft = cell->draft;
  struct float_form form;
  value_t operands[3];
  if (!take_form(cell, op, function->modifiers, &form)) return;
  check_function(cell, op, function, &form);
  int reg = assembly_destination(cell);
  for (unsigned i = 0; i < function->operands; i++) {
    assembly_comma(cell, op, usages[function->operands]);
    operands[i] = assembly_value(cell);
    if (function->others >> i & 1) continue;
    struct width bits = {.bits = form.type.bits, .is_signed = true};
    operands[i] = flushed(draft, &form, form.type, draft_fit(draft, bits, operands[i]));
  }
  if (cell->reader->failed) return;
  value_t result = function->value(draft, &form, operands);
  if (form.modifiers >> SATURATE & 1 && form.type.is_real) result = saturated(draft, &form, result);
  result = flushed(draft, &form, form.type, result);
  struct instr *instr = assembly_emit(cell, op, INSTR_ASSIGN);
  instr->reg = reg;
  instr->value = form.type.is_real ? result : draft_fit(draft, form.type, result);
}

/* ---- comparisons ---- */

/* Both numbers, and how they compare; the others are the contrary of one of these. */
enum comparison { EQUAL, UNEQUAL, LESS, AT_MOST, GREATER, AT_LEAST, NUMBERS, CONTRARY };

static value_t compare(struct draft *draft, int how, value_t a, value_t b) {
  value_t less = draft_binary(draft, EXPR_FLT, a, b), greater = draft_binary(draft, EXPR_FLT, b, a),
          same = draft_binary(draft, EXPR_FEQ, a, b);
  if (how >= CONTRARY) return contrary(draft, compare(draft, how - CONTRARY, a, b));
  switch ((enum comparison)how) {
    case EQUAL:
      return same;
    case UNEQUAL:
      return draft_binary(draft, EXPR_LOR, less, greater);
    case LESS:
      return less;
    case AT_MOST:
      return draft_binary(draft, EXPR_LOR, less, same);
    case GREATER:
      return greater;
    case AT_LEAST:
      return draft_binary(draft, EXPR_LOR, greater, same);
    default:
      return draft_binary(draft, EXPR_LAND, draft_binary(draft, EXPR_FEQ, a, a), draft_binary(draft, EXPR_FEQ, b, b));
  }
}

static void lower_comparison(struct column_cell *cell, struct opcode *op, bool set) {
  static const struct word_row comparisons[] = {{"eq", EQUAL},
                                                {"ne", UNEQUAL},
                                                {"lt", LESS},
                                                {"le", AT_MOST},
                                                {"gt", GREATER},
                                                {"ge", AT_LEAST},
                                                {"num", NUMBERS},
                                                {"equ", CONTRARY + UNEQUAL},
                                                {"neu", CONTRARY + EQUAL},
                                                {"ltu", CONTRARY + AT_LEAST},
                                                {"leu", CONTRARY + GREATER},
                                                {"gtu", CONTRARY + AT_MOST},
                                                {"geu", CONTRARY + LESS},
                                                {"nan", CONTRARY + NUMBERS},
                                                {NULL, 0}};
  static const struct word_row joins[] = {{"and", EXPR_AND}, {"or", EXPR_OR}, {"xor", EXPR_XOR}, {NULL, 0}};
  struct draft *draft = cell->draft;
  struct float_form form;
  int how = opcode_expect(cell, op, comparisons, "a comparison of floats"), joined = opcode_skip(op, joins);
  if (how < 0 || !take_form(cell, op, 1 << FLUSH, &form)) return;
  value_t operands[2];
  assembly_operation(cell, op, operands);
  size_t at = cell->thread->code.count - 1;
  for (int i = 0; i < 2; i++) operands[i] = widened(draft, form.from, flushed(draft, &form, form.from, operands[i]));
  value_t result = compare(draft, how, operands[0], operands[1]);
  if (joined >= 0) {
    assembly_comma(cell, op, "register, value, value, predicate");
    result = draft_binary(draft, (enum expr_kind)joined, result,
                          draft_with_constant(draft, EXPR_NE, assembly_value(cell), 0));
  }
  value_t yes = form.type.is_real ? narrowed(draft, form.type, real(draft, 1))
                                  : draft_fit(draft, form.type, draft_constant(draft, -1));
  cell->thread->code.at[at].value = set ? draft_conditional(draft, result, yes, draft_constant(draft, 0)) : result;
}

bool ptx_lower_floats(struct column_cell *cell, struct opcode *op) {
  bool set = token_is(op->words[0], "set"), compares = set || token_is(op->words[0], "setp");
  const struct function *function = find_function(op);
  if (!names_real_type(op) || !(function || compares)) return false;
  struct ptx_test *test = cell->draft->own;
  test->floats = true;
  op->next = 1;
  if (compares)
    lower_comparison(cell, op, set);
  else
    lower_function(cell, op, function);
  return true;
}
