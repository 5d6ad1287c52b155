/* SPDX-License-Identifier: MIT */
/* The meaning of a program's operators, and the names of its orders, scopes,
 * registers and locations. */
#include "checker/program/program.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "checker/base/number.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/program/kernel_launch.h"
#include "checker/program/mbarrier.h"

static int64_t wrap(uint64_t value) {
  return (int64_t)value;
}

static int64_t divide(int64_t a, int64_t b, bool *undefined) {
  if (b == 0) {
    if (undefined) *undefined = true;
    return 0;
  }
  return b == -1 ? wrap(0 - (uint64_t)a) : a / b;
}

static int64_t remainder_of(int64_t a, int64_t b, bool *undefined) {
  if (b == 0 && undefined) *undefined = true;
  return b == 0 || b == -1 ? 0 : a % b;
}

/* Arithmetic shift written without the implementation-defined one. */
static int64_t shift_right(int64_t a, unsigned count) {
  uint64_t bits = (uint64_t)a >> count;
  return wrap(a < 0 && count ? bits | ~(UINT64_MAX >> count) : bits);
}

static bool address_same(const struct address *a, const struct address *b) {
  return a->base == b->base && a->size == b->size && expr_same(a->index, b->index);
}

static bool width_same(struct width a, struct width b) {
  return a.bits == b.bits && a.is_signed == b.is_signed && a.is_long == b.is_long;
}

static bool swap_same(const struct instr *a, const struct instr *b) {
  return a->expected_in_memory == b->expected_in_memory && address_same(&a->expected_at, &b->expected_at) &&
         expr_same(a->expected, b->expected) && a->failure == b->failure && a->weak == b->weak &&
         a->returns_old == b->returns_old && a->rewrites == b->rewrites && a->writeback == b->writeback &&
         a->unless == b->unless && a->fails_apart == b->fails_apart && a->failed_tags == b->failed_tags &&
         a->around == b->around;
}

bool instr_same(const struct instr *a, const struct instr *b) {
  return a->kind == b->kind && a->reg == b->reg && address_same(&a->address, &b->address) && a->alias == b->alias &&
         expr_same(a->value, b->value) && a->op == b->op && width_same(a->width, b->width) && a->order == b->order &&
         a->scope == b->scope && a->implicit_scope == b->implicit_scope && a->tags == b->tags &&
         a->read_tags == b->read_tags && a->write_tags == b->write_tags && a->regions == b->regions &&
         a->split == b->split && swap_same(a, b) && a->lock == b->lock && a->awaits == b->awaits &&
         a->nothing == b->nothing && a->barrier_label == b->barrier_label && expr_same(a->resource, b->resource) &&
         expr_same(a->quorum, b->quorum) && a->arrive == b->arrive && a->silent == b->silent &&
         a->target == b->target && a->kernel == b->kernel && a->writes == b->writes && a->translated == b->translated &&
         a->object == b->object && address_same(&a->from, &b->from);
}

void thread_leave_out(struct arena *arena, struct thread *thread, const bool *out) {
  unsigned *to = ARENA_ARRAY(arena, unsigned, thread->instr_count + 1u), kept = 0;
  for (unsigned i = 0; i < thread->instr_count; i++) {
    to[i] = kept;
    if (!out[i]) thread->instrs[kept++] = thread->instrs[i];
  }
  to[thread->instr_count] = kept;
  thread->instr_count = kept;
  for (unsigned i = 0; i < kept; i++)
    if (instr_jumps(&thread->instrs[i])) thread->instrs[i].target = to[thread->instrs[i].target];
}

bool thread_loop_ends_at(const struct thread *thread, unsigned instr) {
  return instr_jumps(&thread->instrs[instr]) && thread->instrs[instr].target <= instr;
}

bool program_has_loop(const struct program *program) {
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++)
      if (thread_loop_ends_at(&program->threads[t], i)) return true;
  return false;
}

bool thread_jumps_to(const struct thread *thread, unsigned from, unsigned end, unsigned instr) {
  for (unsigned i = from; i < end; i++)
    if (instr_jumps(&thread->instrs[i]) && thread->instrs[i].target == instr) return true;
  return false;
}

bool thread_loops_at(const struct thread *thread, unsigned instr) {
  for (unsigned i = instr; i < thread->instr_count; i++)
    if (instr_jumps(&thread->instrs[i]) && thread->instrs[i].target <= instr) return true;
  return false;
}

bool thread_same_code(const struct thread *a, const struct thread *b) {
  if (a->instr_count != b->instr_count || a->reg_count != b->reg_count) return false;
  for (unsigned i = 0; i < a->reg_count; i++)
    if (a->reg_init[i] != b->reg_init[i]) return false;
  for (unsigned i = 0; i < a->instr_count; i++)
    if (!instr_same(&a->instrs[i], &b->instrs[i])) return false;
  return true;
}

/* ---- floats ---- */

enum { HALF_DIGITS = 10, HALF_BIAS = 15, HALF_INFINITY = 31 << HALF_DIGITS };

/* Of 16 bits; to the nearest, of two to the even one.  What is no number becomes the usual one. */
static int64_t narrow_half(double value) {
  int exponent;
  int64_t sign = signbit(value) ? INT16_MIN : 0;
  if (isnan(value)) return sign | HALF_INFINITY | 1 << (HALF_DIGITS - 1);
  if (isinf(value) || value == 0) return value == 0 ? sign : sign | HALF_INFINITY;
  frexp(value, &exponent);
  int least = 1 - HALF_BIAS, last = (exponent - 1 < least ? least : exponent - 1) - HALF_DIGITS; /* digit kept */
  int64_t digits = (int64_t)nearbyint(ldexp(fabs(value), -last));
  /* The first digit, where there is one, adds 1 to the exponent; so does what is rounded up to the next power. */
  int64_t bits = ((int64_t)(last + HALF_DIGITS + HALF_BIAS - 1) << HALF_DIGITS) + digits;
  return sign | (bits > HALF_INFINITY ? HALF_INFINITY : bits);
}

static double widen_half(int64_t from) {
  int exponent = (int)(from >> HALF_DIGITS & 31);
  double digits = (double)(from & ((1 << HALF_DIGITS) - 1)), first = exponent ? 1 << HALF_DIGITS : 0;
  double value = ldexp(first + digits, (exponent ? exponent : 1) - HALF_BIAS - HALF_DIGITS);
  if (exponent == 31) value = digits > 0 ? NAN : INFINITY;
  return from & 0x8000 ? -value : value;
}

/* 2^63 and 2^64 are doubles. */
static int64_t to_integer(double value, bool is_signed) {
  const double top = 9223372036854775808.0;
  if (is_signed) return value >= -top && value < top ? (int64_t)value : 0;
  return value > -1 && value < 2 * top ? wrap((uint64_t)value) : 0;
}

/* A sum that is not exact is made odd, away from where it was rounded to: then rounding it again is as if it were the
 * first time. */
static float add_to_float(double a, double b) {
  double sum = a + b, of_b = sum - a, lost = (a - (sum - of_b)) + (b - of_b);
  int64_t bits = bits_of_double(sum);
  if ((lost > 0 || lost < 0) && !(bits & 1)) bits += (lost > 0) == (sum > 0) ? 1 : -1;
  return (float)double_of_bits(bits);
}

static int64_t apply_float(enum expr_kind kind, int64_t a, int64_t b) {
  switch (kind) {
    case EXPR_FADD:
      return bits_of_double(double_of_bits(a) + double_of_bits(b));
    case EXPR_FSUB:
      return bits_of_double(double_of_bits(a) - double_of_bits(b));
    case EXPR_FMUL:
      return bits_of_double(double_of_bits(a) * double_of_bits(b));
    case EXPR_FDIV:
      return bits_of_double(double_of_bits(a) / double_of_bits(b));
    case EXPR_FADDF:
      return (int32_t)bits_of_float(add_to_float(double_of_bits(a), double_of_bits(b)));
    case EXPR_FEQ:
      return double_of_bits(a) == double_of_bits(b);
    case EXPR_FLT:
      return double_of_bits(a) < double_of_bits(b);
    case EXPR_FNARROW:
      return (int32_t)bits_of_float((float)double_of_bits(a));
    case EXPR_FWIDEN:
      return bits_of_double((double)float_of_bits((uint32_t)a));
    case EXPR_HNARROW:
      return narrow_half(double_of_bits(a));
    case EXPR_HWIDEN:
      return bits_of_double(widen_half(a));
    case EXPR_FFROM:
      return bits_of_double((double)a);
    case EXPR_FFROMU:
      return bits_of_double((double)(uint64_t)a);
    case EXPR_FTO:
      return to_integer(double_of_bits(a), true);
    default:
      return to_integer(double_of_bits(a), false);
  }
}

/* Is the double that of a float? */
static bool is_widened(const struct expr *e) {
  double value = e->kind == EXPR_CONST ? double_of_bits(e->value) : 0;
  return e->kind == EXPR_FWIDEN || (e->kind == EXPR_CONST && bits_of_double((float)value) == e->value);
}

bool expr_is_fused(const struct expr *e) {
  return e->kind == EXPR_FADDF && e->a->kind == EXPR_FMUL && is_widened(e->a->a) && is_widened(e->a->b) &&
         is_widened(e->b);
}

static bool mark(void *context, unsigned reg) {
  ((bool *)context)[reg] = true;
  return true;
}

void expr_mark_registers(const struct expr *e, bool *marks) {
  expr_registers(e, mark, marks);
}

static bool is_unmarked(void *context, unsigned reg) {
  return !(*(const bool **)context)[reg];
}

bool expr_names_marked(const struct expr *e, const bool *marks) {
  return !expr_registers(e, is_unmarked, &marks);
}

unsigned instr_expressions(const struct instr *instr, const struct expr **out) {
  const struct expr *all[INSTR_EXPRESSIONS] = {
      instr->value,         instr->expected,   instr->resource,         instr->quorum,
      instr->address.index, instr->from.index, instr->expected_at.index};
  memcpy(out, all, sizeof all);
  return INSTR_EXPRESSIONS;
}

bool instr_has(const struct instr *instr, bool (*holds)(const struct expr *part)) {
  const struct expr *all[INSTR_EXPRESSIONS];
  for (unsigned i = instr_expressions(instr, all); i-- > 0;)
    if (expr_has(all[i], holds)) return true;
  return false;
}

void instr_mark_registers(const struct instr *instr, bool *marks) {
  const struct expr *all[INSTR_EXPRESSIONS];
  for (unsigned i = instr_expressions(instr, all); i-- > 0;) expr_mark_registers(all[i], marks);
}

int64_t expr_apply(enum expr_kind kind, int64_t a, int64_t b, int64_t c, bool *undefined) {
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
  switch (kind) {
    case EXPR_CONST:
    case EXPR_REG:
      return a;
    case EXPR_ADD:
      return wrap(ua + ub);
    case EXPR_SUB:
      return wrap(ua - ub);
    case EXPR_MUL:
      return wrap(ua * ub);
    case EXPR_DIV:
      return divide(a, b, undefined);
    case EXPR_MOD:
      return remainder_of(a, b, undefined);
    case EXPR_AND:
      return wrap(ua & ub);
    case EXPR_OR:
      return wrap(ua | ub);
    case EXPR_XOR:
      return wrap(ua ^ ub);
    case EXPR_SHL:
      return wrap(ua << (ub & 63));
    case EXPR_SHR:
      return shift_right(a, (unsigned)(ub & 63));
    case EXPR_EQ:
      return a == b;
    case EXPR_NE:
      return a != b;
    case EXPR_LT:
      return a < b;
    case EXPR_LE:
      return a <= b;
    case EXPR_GT:
      return a > b;
    case EXPR_GE:
      return a >= b;
    case EXPR_LAND:
      return a && b;
    case EXPR_LOR:
      return a || b;
    case EXPR_NEG:
      return wrap(0 - ua);
    case EXPR_NOT:
      return wrap(~ua);
    case EXPR_LNOT:
      return !a;
    case EXPR_COND:
      return a ? b : c;
    case EXPR_UDIV:
    case EXPR_UMOD:
      if (undefined && !b) *undefined = true;
      return !b ? 0 : wrap(kind == EXPR_UDIV ? ua / ub : ua % ub);
    case EXPR_ULT:
      return ua < ub;
    default:
      return apply_float(kind, a, b);
  }
}

static unsigned size_of(const struct expr *a, const struct expr *b, const struct expr *c) {
  uint64_t size = UINT64_C(1) + (a ? a->size : 0) + (b ? b->size : 0) + (c ? c->size : 0);
  return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

const struct expr *expr_new(struct arena *arena, enum expr_kind kind, const struct expr *a, const struct expr *b,
                            const struct expr *c) {
  return ARENA_MAKE(arena, struct expr, .kind = kind, .size = size_of(a, b, c), .a = a, .b = b, .c = c);
}

const struct expr *expr_constant(struct arena *arena, int64_t value) {
  return ARENA_MAKE(arena, struct expr, .kind = EXPR_CONST, .value = value, .size = 1);
}

const struct expr *expr_register(struct arena *arena, unsigned reg) {
  return ARENA_MAKE(arena, struct expr, .kind = EXPR_REG, .reg = reg, .size = 1);
}

const struct expr *expr_operation(struct arena *arena, enum expr_kind kind, const struct expr *a, const struct expr *b,
                                  const struct expr *c) {
  if (a->kind == EXPR_CONST && (!b || b->kind == EXPR_CONST) && (!c || c->kind == EXPR_CONST)) {
    bool undefined = false;
    int64_t value = expr_apply(kind, a->value, b ? b->value : 0, c ? c->value : 0, &undefined);
    if (!undefined) return expr_constant(arena, value);
  }
  return expr_new(arena, kind, a, b, c);
}

const struct expr *expr_fit(struct arena *arena, struct width width, const struct expr *value, expr_maker *apply) {
  if (!width.bits || width.bits >= 64) return value;
  if (value->kind == EXPR_CONST) return expr_constant(arena, width_fit(width, value->value));
  const struct expr *shift = expr_constant(arena, 64 - (int64_t)width.bits);
  if (width.bits == 1) return apply(arena, EXPR_NE, value, expr_constant(arena, 0), NULL);
  if (width.is_signed) return apply(arena, EXPR_SHR, apply(arena, EXPR_SHL, value, shift, NULL), shift, NULL);
  return apply(arena, EXPR_AND, value, expr_constant(arena, ((int64_t)1 << width.bits) - 1), NULL);
}

static int64_t step_mbarrier(int64_t value) {
  bool open = (value & MBARRIER_MOST) || shift_right(value, MBARRIER_TRANSACTIONS);
  if (open) return value;
  return (value ^ INT64_C(1) << MBARRIER_PARITY) + (value >> MBARRIER_EXPECTED & MBARRIER_MOST);
}

enum { FLOAT_MAGNITUDE = 0x7fffffff, FLOAT_NORMAL = 0x00800000 };

static int64_t flush(int64_t bits) {
  return (bits & FLOAT_MAGNITUDE) < FLOAT_NORMAL ? bits & INT32_MIN : bits;
}

/* As doubles: narrowing the sum rounds it once, as if it were exact. */
static int64_t add_floats(int64_t a, int64_t b) {
  return apply_float(EXPR_FADD, apply_float(EXPR_FWIDEN, a, 0), apply_float(EXPR_FWIDEN, b, 0));
}

const struct expr *expr_flush(struct arena *arena, const struct expr *bits, expr_maker *apply) {
  const struct expr *magnitude = apply(arena, EXPR_AND, bits, expr_constant(arena, FLOAT_MAGNITUDE), NULL);
  return apply(arena, EXPR_COND, apply(arena, EXPR_LT, magnitude, expr_constant(arena, FLOAT_NORMAL), NULL),
               apply(arena, EXPR_AND, bits, expr_constant(arena, INT32_MIN), NULL), bits);
}

const struct expr *rmw_float_sum(struct arena *arena, enum rmw_op op, const struct expr *old,
                                 const struct expr *operand, expr_maker *apply) {
  bool flushes = op == RMW_FADD_FLUSH;
  if (op == RMW_FADD_LONG) return apply(arena, EXPR_FADD, old, operand, NULL);
  if (flushes) old = expr_flush(arena, old, apply), operand = expr_flush(arena, operand, apply);
  const struct expr *sum = apply(arena, EXPR_FADD, apply(arena, EXPR_FWIDEN, old, NULL, NULL),
                                 apply(arena, EXPR_FWIDEN, operand, NULL, NULL), NULL);
  const struct expr *result = apply(arena, EXPR_FNARROW, sum, NULL, NULL);
  return flushes ? expr_flush(arena, result, apply) : result;
}

int64_t rmw_apply(enum rmw_op op, int64_t old, int64_t operand) {
  uint64_t a = (uint64_t)old, b = (uint64_t)operand;
  switch (op) {
    case RMW_EXCHANGE:
      return operand;
    case RMW_ADD:
      return wrap(a + b);
    case RMW_SUB:
      return wrap(a - b);
    case RMW_OR:
      return wrap(a | b);
    case RMW_XOR:
      return wrap(a ^ b);
    case RMW_AND:
      return wrap(a & b);
    case RMW_MIN:
      return old < operand ? old : operand;
    case RMW_MAX:
      return old > operand ? old : operand;
    case RMW_MUL:
      return wrap(a * b);
    case RMW_DIV:
      return divide(old, operand, NULL);
    case RMW_UMIN:
      return a < b ? old : operand;
    case RMW_UMAX:
      return a > b ? old : operand;
    case RMW_INC:
      return a < b ? wrap(a + 1) : 0;
    case RMW_DEC:
      return a - 1 < b ? wrap(a - 1) : operand;
    case RMW_FADD:
      return apply_float(EXPR_FNARROW, add_floats(old, operand), 0);
    case RMW_FADD_FLUSH:
      return flush(apply_float(EXPR_FNARROW, add_floats(flush(old), flush(operand)), 0));
    case RMW_FADD_LONG:
      return apply_float(EXPR_FADD, old, operand);
    case RMW_MBARRIER:
      return step_mbarrier(wrap(a + b));
  }
  return operand;
}

int64_t width_fit(struct width width, int64_t value) {
  if (!width.bits) return value;
  if (width.bits == 1) return value != 0;
  uint64_t low = (uint64_t)value & ((UINT64_C(1) << width.bits) - 1);
  bool negative = width.is_signed && low >> (width.bits - 1);
  return (int64_t)(negative ? low | ~((UINT64_C(1) << width.bits) - 1) : low);
}

const char *rmw_name(enum rmw_op op) {
  static const char *const names[] = {
      "exchange",  "fetch_add", "fetch_sub",       "fetch_or",        "fetch_xor",        "fetch_and",
      "fetch_min", "fetch_max", "fetch_mul",       "fetch_div",       "fetch_umin",       "fetch_umax",
      "fetch_inc", "fetch_dec", "fetch_add_float", "fetch_add_float", "fetch_add_double", "mbarrier"};
  return names[op];
}

enum expr_kind rmw_arithmetic(enum rmw_op op) {
  static const enum expr_kind kinds[RMW_OPS] = {
      [RMW_ADD] = EXPR_ADD, [RMW_SUB] = EXPR_SUB, [RMW_OR] = EXPR_OR,   [RMW_XOR] = EXPR_XOR,
      [RMW_AND] = EXPR_AND, [RMW_MUL] = EXPR_MUL, [RMW_DIV] = EXPR_DIV,
  };
  return kinds[op];
}

const char *order_name(enum order order) {
  static const char *const names[] = {"na", "rlx", "con", "acq", "rel", "ar", "sc"};
  return names[order];
}

const char *scope_name(enum scope scope) {
  static const char *const names[] = {"", "wi", "sg", "wg", "qf", "dev", "sys"};
  return names[scope];
}

unsigned thread_instance(const struct thread *thread, enum scope scope) {
  switch (scope) {
    case SCOPE_SG:
      return thread->sg;
    case SCOPE_WG:
      return thread->wg;
    case SCOPE_QF:
      return thread->qf;
    case SCOPE_DEV:
      return thread->dev;
    default:
      return 0;
  }
}

const char *program_level_name(const struct program *program, enum scope scope) {
  static const char *const usual[] = {
      [SCOPE_SG] = "sub-group", [SCOPE_WG] = "work-group", [SCOPE_DEV] = "device", [SCOPE_SYS] = NULL};
  return (program->level_words ? program->level_words : usual)[scope];
}

const char *program_scope_name(const struct program *program, enum scope scope) {
  return program->scope_words ? program->scope_words[scope] : scope_name(scope);
}

int thread_find_register(const struct thread *thread, const char *name) {
  for (unsigned i = 0; i < thread->reg_count; i++)
    if (thread->reg_names[i] && !strcmp(thread->reg_names[i], name)) return (int)i;
  return -1;
}

bool program_is_adsm(const struct program *program) {
  return program->object_count || program->kernel_count;
}

bool location_is_cell(const struct location *location) {
  return strchr(location->name, '[');
}

bool location_is_open(const struct program *program, unsigned x) {
  const struct location *location = &program->locations[x];
  return program->kernel_launch && location->any && location->region == REGION_GLOBAL &&
         !program->kernel_launch->cells[x].size;
}

unsigned program_work_group_size(const struct program *program, unsigned wg) {
  unsigned size = 0;
  for (unsigned t = 0; t < program->thread_count; t++) size += program->threads[t].wg == wg;
  return size;
}

int program_find_location(const struct program *program, const char *name) {
  return ROW_INDEX(program->locations, program->location_count, name, name);
}

tag_set program_annotation(const struct program *program, const char *name) {
  int i = text_index(name, program->annotations, program->annotation_count);
  return i < 0 ? 0 : (tag_set)1 << (TAG_COUNT + i);
}

const char *program_tag_text(const struct program *program, unsigned tag, tag_set tags) {
  if (tag < TAG_COUNT) return tag_text((enum tag)tag, tags);
  bool has = tag < TAG_COUNT + program->annotation_count && tags >> tag & 1;
  return has ? program->annotations[tag - TAG_COUNT] : "";
}

bool program_has_tags(const struct program *program) {
  INSTR_EACH (instr, program)
    if (instr->tags | instr->read_tags | instr->write_tags) return true;
  return false;
}
