/* SPDX-License-Identifier: MIT */
/* Reading of PTX text (PTX ISA, "Instruction Set"), as far as litmus tests need
 * it: virtual registers of 32 bits and predicates become registers of the test;
 * those of 64 bits too, unless they hold addresses, which are followed while
 * reading, from the parameters and shared memory that they come from, with what a
 * register adds to them; the number of the thread within its block (%tid.x) is 0.
 *
 *   ld st         weak; .volatile is .relaxed.sys; of private memory (__local_depot)
 *                 a move, to or from a register of the test for each place
 *   atom red      without an order relaxed, without a scope gpu
 *   membar        fence.sc of its scope: .cta, .gl for gpu, .sys
 *   bar.sync      the k-th of a thread meets the k-th of others
 *   @%p           a jump around
 *
 * What is not in the tables is refused: nothing is skipped but directives,
 * comments and debug locations.
 */
#include "checker/translate/nvptx_read.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/translate/nvptx_internal.h"

/* ---- memory ---- */

/* `[%SP+24]`: the name of this place, as a register has one; NULL: not private memory. */
static const char *private_place(struct ptx_reading *r, const char *operand) {
  struct ptx_known known;
  int64_t offset;
  const char *base = nvptx_split_address(r, operand, &offset);
  if (!base || !nvptx_known_value(r, base, &known) || known.kind != KNOWN_PRIVATE || known.index) return NULL;
  return arena_printf(r->arena, "[private+%" PRId64 "]", known.offset + offset);
}

/* Addresses and the thread's number, which is known, go through private memory, too. */
static void move_private(struct ptx_reading *r, const char *to, const char *from) {
  const struct ptx_known *known = nvptx_known(r, from);
  bool named = false, knew = nvptx_known(r, to) != NULL;
  for (size_t i = 0; i < r->registers.count; i++) named |= !strcmp(r->registers.at[i].from, to);
  bool byte = !strcmp(nvptx_type(r), "b8") || !strcmp(nvptx_type(r), "u8");
  if (known ? named : knew)
    nvptx_fail(r, "a place in private memory holds now an address, now a value");
  else if (known)
    nvptx_know(r, to, *known);
  else if (byte)
    CELL(r, "and %s, %s, 255", nvptx_register(r, to), nvptx_value(r, from));
  else
    CELL(r, "ld %s, %s", nvptx_register(r, to), nvptx_value(r, from));
}

/* false: the access is of other memory. */
static bool read_private(struct ptx_reading *r, const char *address, const char *other, bool stores) {
  const char *place = private_place(r, address);
  if (!place) return false;
  if (stores)
    move_private(r, place, other);
  else
    move_private(r, other, place);
  return true;
}

static void read_load(struct ptx_reading *r) {
  struct ptx_strength s;
  struct ptx_place place;
  int64_t offset;
  if (nvptx_has(r, "param")) {
    const char *name = nvptx_operands_are(r, 2) ? nvptx_split_address(r, r->operands[1], &offset) : NULL;
    const char *number = name ? strstr(name, "_param_") : NULL;
    if (!number)
      nvptx_fail(r, "a parameter that is not known here");
    else
      nvptx_know(r, r->operands[0],
                 (struct ptx_known){.kind = KNOWN_PARAMETER, .parameter = (unsigned)strtoul(number + 7, NULL, 10)});
    return;
  }
  if (!nvptx_operands_are(r, 2) || read_private(r, r->operands[1], r->operands[0], false)) return;
  if (!nvptx_take_strength(r, false, &s) || !nvptx_find_place(r, r->operands[1], &place)) return;
  if (place.kind == PLACE_RESULT)
    nvptx_fail(r, "a result is read");
  else if (s.order && strcmp(s.order, "weak") != 0)
    CELL(r, "ld.%s.%s %s, %s", s.order, s.scope ? s.scope : "?", nvptx_register(r, r->operands[0]), place.name);
  else
    CELL(r, "ld.weak %s, %s", nvptx_register(r, r->operands[0]), place.name);
}

static void read_store(struct ptx_reading *r) {
  struct ptx_strength s;
  struct ptx_place place;
  if (!nvptx_operands_are(r, 2) || read_private(r, r->operands[0], r->operands[1], true)) return;
  if (!nvptx_take_strength(r, false, &s) || !nvptx_find_place(r, r->operands[0], &place)) return;
  const char *value = nvptx_value(r, r->operands[1]);
  if (place.kind == PLACE_RESULT)
    CELL(r, "ld %s, %s", place.name, value);
  else if (s.order && strcmp(s.order, "weak") != 0)
    CELL(r, "st.%s.%s %s, %s", s.order, s.scope ? s.scope : "?", place.name, value);
  else
    CELL(r, "st.weak %s, %s", place.name, value);
}

static void read_atomic(struct ptx_reading *r) {
  static const char *const OPS[] = {"add", "and", "or", "xor", "exch", "cas", "min", "max", NULL};
  struct ptx_strength s;
  struct ptx_place place;
  bool reduces = !strcmp(r->words[0], "red");
  if (!nvptx_take_strength(r, true, &s)) return;
  bool known = s.op && text_is_one_of(s.op, OPS);
  bool extreme = s.op && (!strcmp(s.op, "min") || !strcmp(s.op, "max"));
  if (!known || (extreme && nvptx_is_unsigned(r))) {
    nvptx_refuse_word(r, s.op ? s.op : "");
    return;
  }
  bool cas = !strcmp(s.op, "cas");
  if (!nvptx_operands_are(r, cas ? 4 : reduces ? 2 : 3) || !nvptx_find_place(r, r->operands[!reduces], &place)) return;
  if (place.kind == PLACE_RESULT) nvptx_fail(r, "a result is changed");
  const char *head = arena_printf(r->arena, "%s.%s.%s.%s", r->words[0], s.order ? s.order : "relaxed",
                                  s.scope ? s.scope : "gpu", s.op);
  const char *value = nvptx_value(r, r->operands[reduces ? 1 : 2]);
  if (reduces)
    CELL(r, "%s %s, %s", head, place.name, value);
  else if (cas)
    CELL(r, "%s %s, %s, %s, %s", head, nvptx_register(r, r->operands[0]), place.name, value,
         nvptx_value(r, r->operands[3]));
  else
    CELL(r, "%s %s, %s, %s", head, nvptx_register(r, r->operands[0]), place.name, value);
}

static void read_fence(struct ptx_reading *r) {
  static const char *const ORDERS[] = {"sc", "acq_rel", "acquire", "release", NULL};
  const char *order = r->word_count > 1 ? r->words[1] : "", *scope = r->word_count > 2 ? r->words[2] : "";
  if (r->word_count == 3 && text_is_one_of(order, ORDERS))
    CELL(r, "fence.%s.%s", order, scope);
  else
    nvptx_refuse_word(r, order);
}

static void read_membar(struct ptx_reading *r) {
  const char *scope = r->word_count == 2 ? r->words[1] : "";
  if (strcmp(scope, "cta") != 0 && strcmp(scope, "gl") != 0 && strcmp(scope, "sys") != 0)
    nvptx_refuse_word(r, scope);
  else
    CELL(r, "fence.sc.%s", !strcmp(scope, "gl") ? "gpu" : scope);
}

static void read_barrier(struct ptx_reading *r) {
  bool sync = nvptx_has(r, "sync") || nvptx_has(r, "red");
  if (!sync || nvptx_has(r, "red") || r->operand_count != 1)
    nvptx_fail(r, "this barrier is not known here");
  else if (!r->kernel->block)
    CELL(r, "bar.cta.sync %u", r->barriers++);
  else {
    const char *reached = nvptx_register(r, "the number of barriers reached");
    CELL(r, "bar.cta.sync 0, %s, %u", reached, r->kernel->block);
    CELL(r, "add %s, %s, 1", reached, reached);
  }
}

/* ---- arithmetic ---- */

/* As a number of 32 bits without a sign. */
static const char *without_sign(struct ptx_reading *r, const char *value) {
  if (*value != 'r') return arena_printf(r->arena, "%" PRIu32, (uint32_t)strtoll(value, NULL, 0));
  const char *masked = nvptx_new_register(r);
  CELL(r, "and %s, %s, 4294967295", masked, value);
  return masked;
}

/* Where 32 bits become 64, the value of a register becomes part of an address: what it is now, in a register of its
 * own. */
static bool take_index(struct ptx_reading *r, const char *operand, struct ptx_known *known) {
  bool multiplies = !strcmp(r->words[0], "mul") && nvptx_has(r, "wide");
  bool converts = !strcmp(r->words[0], "cvt") && strstr(r->words[1], "64") && strstr(nvptx_type(r), "32");
  if (!(multiplies || converts) || *operand != '%') return false;
  const char *index = nvptx_value(r, operand), *copy = nvptx_new_register(r);
  CELL(r, nvptx_is_unsigned(r) ? "and %s, %s, 4294967295" : "ld %s, %s", copy, index);
  *known = (struct ptx_known){.kind = KNOWN_NUMBER, .index = copy, .scale = 1};
  return true;
}

static bool is_number(const struct ptx_known *known) {
  return known->kind == KNOWN_NUMBER && !known->index;
}

/* As registers do, modulo 2^64. */
static struct ptx_known times(struct ptx_known known, int64_t factor) {
  known.offset = (int64_t)((uint64_t)known.offset * (uint64_t)factor);
  known.scale = (int64_t)((uint64_t)known.scale * (uint64_t)factor);
  return known;
}

/* Of addresses: what can be told now is, and leaves no other instruction. */
static bool follow(struct ptx_reading *r) {
  const char *name = r->words[0];
  bool upper_half = nvptx_has(r, "hi"), narrows = !strcmp(name, "cvt") && !strstr(r->words[1], "64");
  struct ptx_known a, b = {.kind = KNOWN_NUMBER};
  if (r->operand_count < 2 || upper_half) return false;
  if (!nvptx_known_value(r, r->operands[1], &a) && !take_index(r, r->operands[1], &a)) return false;
  if (r->operand_count > 2 && !nvptx_known_value(r, r->operands[2], &b)) return false;
  if (narrows && a.index) return false;                                            /* loses bits in a run only */
  if (nvptx_has(r, "wide") && nvptx_is_unsigned(r)) b.offset = (uint32_t)b.offset; /* LLVM writes it with a sign */
  if (!strcmp(name, "mov") || !strcmp(name, "cvta") || !strcmp(name, "cvt"))
    nvptx_know(r, r->operands[0], a);
  else if (!strcmp(name, "add") && (a.kind == KNOWN_NUMBER || b.kind == KNOWN_NUMBER) && !(a.index && b.index)) {
    struct ptx_known sum = a.kind == KNOWN_NUMBER ? b : a;
    sum.offset = a.offset + b.offset;
    sum.index = a.index ? a.index : b.index;
    sum.scale = a.index ? a.scale : b.scale;
    nvptx_know(r, r->operands[0], sum);
  } else if (a.kind == KNOWN_NUMBER && is_number(&b) && !strcmp(name, "mul"))
    nvptx_know(r, r->operands[0], times(a, b.offset));
  else if (a.kind == KNOWN_NUMBER && is_number(&b) && !strcmp(name, "shl") && b.offset >= 0 && b.offset < 32)
    nvptx_know(r, r->operands[0], times(a, (int64_t)1 << b.offset));
  else
    return false;
  return true;
}

static void read_move(struct ptx_reading *r) {
  if (!nvptx_operands_are(r, 2)) return;
  if (!strcmp(r->operands[1], "%tid.x"))
    nvptx_know(r, r->operands[0], (struct ptx_known){.kind = KNOWN_NUMBER});
  else if (!(nvptx_is_wide(r) || nvptx_is_shared(r->operands[1])) || !follow(r))
    CELL(r, "ld %s, %s", nvptx_register(r, r->operands[0]), nvptx_value(r, r->operands[1]));
}

static void read_comparison(struct ptx_reading *r) {
  static const struct {
    const char *word, *to;
    bool plain;
  } COMPARISONS[] = {{"eq", "eq", false}, {"ne", "ne", false}, {"lt", "lt", false}, {"le", "le", false},
                     {"gt", "gt", false}, {"ge", "ge", false}, {"lo", "lt", true},  {"ls", "le", true},
                     {"hi", "gt", true},  {"hs", "ge", true}};
  const char *to = NULL;
  bool plain = nvptx_is_unsigned(r);
  for (unsigned i = 0; i < sizeof COMPARISONS / sizeof *COMPARISONS; i++) {
    if (strcmp(COMPARISONS[i].word, r->words[1]) != 0) continue;
    to = COMPARISONS[i].to;
    plain |= COMPARISONS[i].plain;
  }
  bool equality = to && (!strcmp(to, "eq") || !strcmp(to, "ne"));
  if (!to || r->word_count != 3 || (nvptx_is_wide(r) && plain && !equality)) {
    nvptx_refuse_word(r, r->words[1]);
    return;
  }
  if (!nvptx_operands_are(r, 3)) return;
  const char *a = nvptx_value(r, r->operands[1]), *b = nvptx_value(r, r->operands[2]);
  if (plain && !equality) a = without_sign(r, a), b = without_sign(r, b);
  CELL(r, "set.%s %s, %s, %s", to, nvptx_register(r, r->operands[0]), a, b);
}

static void read_selection(struct ptx_reading *r) {
  if (!nvptx_operands_are(r, 4)) return;
  const char *a = nvptx_value(r, r->operands[1]), *b = nvptx_value(r, r->operands[2]),
             *c = nvptx_value(r, r->operands[3]);
  CELL(r, "selp %s, %s, %s, %s", nvptx_register(r, r->operands[0]), a, b, c);
}

/* not, neg, and on predicates not. */
static void read_unary(struct ptx_reading *r) {
  if (!nvptx_operands_are(r, 2)) return;
  const char *a = nvptx_value(r, r->operands[1]), *to = nvptx_register(r, r->operands[0]);
  if (!strcmp(r->words[0], "neg"))
    CELL(r, "sub %s, 0, %s", to, a);
  else if (!strcmp(nvptx_type(r), "pred"))
    CELL(r, "set.eq %s, %s, 0", to, a);
  else
    CELL(r, "xor %s, %s, -1", to, a);
}

static bool is_small(const char *value) {
  char *end;
  long long number = strtoll(value, &end, 0);
  return end != value && !*end && number > -65536 && number < 65536;
}

/* Tests compute with 64 bits: what may need more than 32 loses them.  Sums with small numbers are taken to fit. */
static bool may_grow(const char *op, const char *a, const char *b) {
  if (!strcmp(op, "add") || !strcmp(op, "sub")) return !is_small(a) && !is_small(b);
  return !strcmp(op, "mul") || !strcmp(op, "shl");
}

/* `shr.u64 %rd2, %rd1, 3` leaves no sign; tests compute with 64 bits. */
static void read_wide_arithmetic(struct ptx_reading *r) {
  const char *name = r->words[0];
  bool widens = nvptx_has(r, "wide"), plain = nvptx_is_unsigned(r);
  bool shifts = !strcmp(name, "shr") && plain, divides = !strcmp(name, "div") || !strcmp(name, "rem");
  if (!nvptx_operands_are(r, 3)) return;
  const char *a = nvptx_value(r, r->operands[1]), *b = nvptx_value(r, r->operands[2]),
             *to = nvptx_register(r, r->operands[0]);
  long by = strtol(b, NULL, 0);
  if (nvptx_has(r, "hi") || (divides && plain) || (shifts && (*b == 'r' || by < 1 || by > 63))) {
    nvptx_refuse_word(r, nvptx_type(r));
    return;
  }
  if (widens && plain) a = without_sign(r, a), b = without_sign(r, b);
  CELL(r, "%s %s, %s, %s", name, to, a, b);
  if (shifts) CELL(r, "and %s, %s, %" PRId64, to, to, INT64_MAX >> (by - 1));
}

static void read_arithmetic(struct ptx_reading *r) {
  if (r->operand_count == 3 && follow(r)) return;
  if (nvptx_is_wide(r)) {
    read_wide_arithmetic(r);
    return;
  }
  bool sign_matters = !strcmp(r->words[0], "div") || !strcmp(r->words[0], "rem") || !strcmp(r->words[0], "shr");
  bool plain = sign_matters && nvptx_is_unsigned(r);
  if (nvptx_has(r, "hi")) {
    nvptx_refuse_word(r, "hi");
    return;
  }
  if (!nvptx_operands_are(r, 3)) return;
  const char *a = nvptx_value(r, r->operands[1]), *b = nvptx_value(r, r->operands[2]),
             *to = nvptx_register(r, r->operands[0]);
  if (plain) a = without_sign(r, a), b = without_sign(r, b);
  CELL(r, "%s %s, %s, %s", r->words[0], to, a, b);
  if (plain || may_grow(r->words[0], a, b)) {
    CELL(r, "shl %s, %s, 32", to, to);
    CELL(r, "shr %s, %s, 32", to, to);
  }
}

/* `cvt.u32.u64`: the lower 32 bits; `cvt.s32.s16`: the lower 16 bits, with their sign or without. */
static void read_conversion(struct ptx_reading *r) {
  if (!nvptx_operands_are(r, 2) || follow(r)) return;
  const char *type = nvptx_type(r);
  bool narrow = !strcmp(type + 1, "8") || !strcmp(type + 1, "16"), halves = !strcmp(type + 1, "64");
  if (r->word_count != 3 || (halves ? !strstr(r->words[1], "32") : nvptx_is_wide(r) || !narrow)) {
    nvptx_refuse_word(r, type);
    return;
  }
  const char *to = nvptx_register(r, r->operands[0]);
  if (halves) {
    CELL(r, "shl %s, %s, 32", to, nvptx_value(r, r->operands[1]));
    CELL(r, "shr %s, %s, 32", to, to);
    return;
  }
  unsigned top = 1u << (type[1] == '8' ? 7 : 15);
  CELL(r, "and %s, %s, %u", to, nvptx_value(r, r->operands[1]), 2 * top - 1);
  if (*type != 's') return;
  CELL(r, "xor %s, %s, %u", to, to, top);
  CELL(r, "sub %s, %s, %u", to, to, top);
}

/* `bfe.u32 %r1, %r2, 9, 8`: eight bits from number 9 on. */
static void read_field(struct ptx_reading *r) {
  if (!nvptx_operands_are(r, 4)) return;
  char *from_end, *count_end;
  long from = strtol(r->operands[2], &from_end, 0), count = strtol(r->operands[3], &count_end, 0);
  if (*from_end || *count_end || from < 0 || count < 1 || count > 31 || from + count > 32) {
    nvptx_fail(r, "these operands are not supported");
    return;
  }
  const char *a = nvptx_value(r, r->operands[1]), *to = nvptx_register(r, r->operands[0]);
  if (nvptx_is_unsigned(r)) {
    CELL(r, "shr %s, %s, %ld", to, a, from);
    CELL(r, "and %s, %s, %ld", to, to, (1L << count) - 1);
  } else {
    CELL(r, "shl %s, %s, %ld", to, a, 64 - from - count);
    CELL(r, "shr %s, %s, %ld", to, to, 64 - count);
  }
}

/* ---- control ---- */

static void read_jump(struct ptx_reading *r) {
  if (nvptx_operands_are(r, 1)) CELL(r, "goto %s", nvptx_label(r, r->operands[0]));
}

/* `brx.idx %r1, $L_brx_0`: to the label of that number; of the last nothing needs to be asked. */
static void read_jump_by_index(struct ptx_reading *r) {
  const struct ptx_table *table = NULL;
  if (!nvptx_operands_are(r, 2)) return;
  for (size_t i = 0; i < r->tables.count; i++)
    if (!strcmp(r->tables.at[i].name, r->operands[1])) table = &r->tables.at[i];
  if (!table || !table->labels.count) {
    nvptx_fail(r, "a list of labels that is not known here");
    return;
  }
  const char *index = nvptx_value(r, r->operands[0]);
  size_t last = table->labels.count - 1;
  for (size_t k = 0; k < last; k++) {
    const char *same = nvptx_new_register(r);
    CELL(r, "set.eq %s, %s, %zu", same, index, k);
    CELL(r, "bne %s, 0, %s", same, nvptx_label(r, table->labels.at[k]));
  }
  CELL(r, "goto %s", nvptx_label(r, table->labels.at[last]));
}

static void read_end(struct ptx_reading *r) {
  if (!r->end) r->end = nvptx_label(r, "the end");
  CELL(r, "goto %s", r->end);
}

static const struct {
  const char *name;
  void (*read)(struct ptx_reading *r);
} INSTRUCTIONS[] = {
    {"ld", read_load},        {"st", read_store},        {"atom", read_atomic},       {"red", read_atomic},
    {"fence", read_fence},    {"membar", read_membar},   {"bar", read_barrier},       {"barrier", read_barrier},
    {"mov", read_move},       {"setp", read_comparison}, {"selp", read_selection},    {"not", read_unary},
    {"neg", read_unary},      {"add", read_arithmetic},  {"sub", read_arithmetic},    {"mul", read_arithmetic},
    {"and", read_arithmetic}, {"or", read_arithmetic},   {"xor", read_arithmetic},    {"shl", read_arithmetic},
    {"shr", read_arithmetic}, {"div", read_arithmetic},  {"rem", read_arithmetic},    {"cvta", read_conversion},
    {"cvt", read_conversion}, {"bra", read_jump},        {"brx", read_jump_by_index}, {"ret", read_end},
    {"exit", read_end},       {"bfe", read_field},
};

/* ---- lines ---- */

/* Splits `ld.acquire.gpu.b32 %r1, [%rd2]`: words, then operands. */
static void split_instruction(struct ptx_reading *r, char *text) {
  size_t head = strcspn(text, " \t");
  char *rest = text + head, *piece;
  if (*rest) *rest++ = '\0';
  r->word_count = r->operand_count = 0;
  while ((piece = strsep(&text, ".:"))) {
    if (!*piece) continue;
    if (r->word_count == PTX_WORDS) {
      nvptx_fail(r, "an instruction with so many words is not known here");
      return;
    }
    r->words[r->word_count++] = piece;
  }
  while ((piece = strsep(&rest, ","))) {
    piece += strspn(piece, " \t");
    size_t length = strlen(piece);
    while (length && isspace((unsigned char)piece[length - 1])) piece[--length] = '\0';
    if (!length) continue;
    if (r->operand_count == PTX_OPERANDS || strchr(piece, '{')) {
      nvptx_fail(r, "these operands are not supported");
      return;
    }
    r->operands[r->operand_count++] = piece;
  }
}

/* The instruction at hand, which has been split. */
static void read_named(struct ptx_reading *r) {
  for (unsigned i = 0; i < sizeof INSTRUCTIONS / sizeof *INSTRUCTIONS; i++)
    if (!strcmp(INSTRUCTIONS[i].name, r->words[0])) {
      INSTRUCTIONS[i].read(r);
      return;
    }
  nvptx_fail(r, arena_printf(r->arena, "'%s' is not in the instruction set of tests", r->words[0]));
}

/* A guard, `@%p1` or `@!%p1`: a jump takes it in, anything else is jumped around. */
static void read_guarded(struct ptx_reading *r, char *text) {
  bool negated = text[1] == '!';
  char *predicate = text + 1 + negated, *instruction = predicate + strcspn(predicate, " \t");
  if (*instruction) *instruction++ = '\0';
  instruction += strspn(instruction, " \t");
  const char *p = nvptx_register(r, predicate);
  split_instruction(r, instruction);
  if (r->failed || !r->word_count) return;
  if (!strcmp(r->words[0], "bra") && r->operand_count == 1) {
    CELL(r, "%s %s, 0, %s", negated ? "beq" : "bne", p, nvptx_label(r, r->operands[0]));
    return;
  }
  const char *around = nvptx_label(r, arena_printf(r->arena, "around %zu", r->column->count));
  CELL(r, "%s %s, 0, %s", negated ? "bne" : "beq", p, around);
  read_named(r);
  nvptx_cell(r, true, arena_printf(r->arena, "%s:", around));
}

static void read_instruction(struct ptx_reading *r, char *text) {
  if (*text == '@') {
    read_guarded(r, text);
    return;
  }
  split_instruction(r, text);
  if (!r->failed && r->word_count) read_named(r);
}

/* `.loc 1 12 0`: the source's line. */
static void read_directive(struct ptx_reading *r, const char *text) {
  unsigned file, line;
  if (sscanf(text, ".loc %u %u", &file, &line) == 2) r->line = line;
}

/* `$L_brx_0: .branchtargets $L_1, $L_2;` on one line or on several: kept for the jump. */
static bool read_targets(struct ptx_reading *r, char *text) {
  char *directive = strstr(text, ".branchtargets");
  if (!directive && !r->listing) return false;
  if (directive) {
    text[strcspn(text, ": \t")] = '\0';
    *vec_push(r->arena, &r->tables) = (struct ptx_table){.name = text};
    text = directive + strlen(".branchtargets");
  }
  r->listing = !strchr(text, ';');
  for (const char **label = text_split(r->arena, text, ",; \t", NULL); *label; label++)
    *vec_push(r->arena, &r->tables.at[r->tables.count - 1].labels) = *label;
  return true;
}

static void read_line(struct ptx_reading *r, struct span span) {
  const char *from = r->kernel->source->text + span.at;
  char *text = arena_strndup(r->arena, from, span.length), *comment = strstr(text, "//");
  if (comment) *comment = '\0';
  size_t blanks = strspn(text, " \t"), length = strlen(text);
  while (length > blanks && isspace((unsigned char)text[length - 1])) text[--length] = '\0';
  text += blanks;
  length -= blanks;
  r->span = (struct span){span.at + (uint32_t)blanks, (uint32_t)length};
  if (!length || *text == '{' || *text == '}' || *text == ')') return;
  if (read_targets(r, text)) return;
  if (*text == '.') {
    read_directive(r, text);
    return;
  }
  if (text[length - 1] == ':') {
    text[length - 1] = '\0';
    bool of_compiler = !strncmp(text, "$L__", 4), jumped_to = !strncmp(text, "$L__BB", 6); /* the others: of lines */
    if (!of_compiler || jumped_to) nvptx_cell(r, true, arena_printf(r->arena, "%s:", nvptx_label(r, text)));
    return;
  }
  if (text[length - 1] != ';') {
    nvptx_fail(r, "a line that is not known here");
    return;
  }
  text[length - 1] = '\0';
  read_instruction(r, text);
}

/* The last instruction is the end: no jump is needed. */
static void close_column(struct ptx_reading *r) {
  struct column *c = r->column;
  bool jumps = r->end && c->count && !c->at[c->count - 1].label &&
               !strcmp(c->at[c->count - 1].text, arena_printf(r->arena, "goto %s", r->end));
  if (jumps) c->count--;
  bool needed = false;
  for (size_t i = 0; i < c->count && r->end; i++) needed |= strstr(c->at[i].text, r->end) != NULL;
  if (needed) nvptx_cell(r, true, arena_printf(r->arena, "%s:", r->end));
}

bool ptx_barriers_depend(const struct ptx_kernel *kernel) {
  bool jumps = false;
  for (size_t i = 0; i < kernel->line_count; i++) {
    const char *line = kernel->source->text + kernel->lines[i].at, *text = line + strspn(line, " \t");
    jumps |= *text == '@' || !strncmp(text, "bra", 3) || !strncmp(text, "brx", 3);
    if (jumps && !strncmp(text, "bar", 3)) return true;
  }
  return false;
}

bool ptx_read(struct arena *arena, const struct ptx_kernel *kernel, struct column *column, struct diags *diags) {
  struct ptx_reading r = {.arena = arena, .kernel = kernel, .column = column, .diags = diags, .next = kernel->next};
  for (size_t i = 0; i < kernel->line_count && !r.failed; i++) read_line(&r, kernel->lines[i]);
  if (!r.failed) close_column(&r);
  return !r.failed;
}
