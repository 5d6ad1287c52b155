/* SPDX-License-Identifier: MIT */
/* Reading of PTX text (PTX ISA, "Instruction Set"), as far as litmus tests need
 * it: virtual registers of 32 bits and predicates become registers of the test;
 * those of 64 bits hold addresses, which are followed while reading, from the
 * parameters and shared memory that they come from; the number of the thread
 * within its block (%tid.x) is 0.
 *
 *   ld st         weak; .volatile is .relaxed.sys; of private memory (__local_depot)
 *                 a move, to or from a register of the test for each place
 *   atom red      without an order relaxed, without a scope gpu
 *   membar        fence.sc of its scope: .cta, .gl for gpu, .sys
 *   bar.sync      the k-th of a thread meets the k-th of others
 *   @%p           a jump around
 *
 * What is not in the tables is refused: nothing is passed over but directives,
 * comments and debug locations.
 */
#include "checker/translate/nvptx_read.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/vec.h"

enum { WORDS = 12, OPERANDS = 6, SHARED_STRIDE = 4 * 301 };

/* What an address register is known to be. */
enum known_kind { KNOWN_NUMBER, KNOWN_PARAMETER, KNOWN_SHARED, KNOWN_PRIVATE };

struct known {
  const char *reg;
  enum known_kind kind;
  unsigned parameter;
  int64_t offset;
};

struct named {
  const char *from, *to;
};

struct reading {
  struct arena *arena;
  const struct ptx_kernel *kernel;
  struct column *column;
  struct diags *diags;
  VEC(struct known) known;
  VEC(struct named) registers, labels;
  unsigned next, barriers, line;
  const char *end; /* label of the end, once something jumps there */
  struct span span;
  const char *words[WORDS]; /* the opcode's, between points */
  const char *operands[OPERANDS];
  unsigned word_count, operand_count;
  bool failed;
};

static void fail(struct reading *r, const char *what) {
  if (!r->failed) diag_error(r->diags, r->kernel->source, r->span, "%s: %s", r->kernel->thread, what);
  r->failed = true;
}

/* ---- cells ---- */

static void add_cell(struct reading *r, bool label, const char *text) {
  *vec_push(r->arena, r->column) = (struct column_entry){text, label, label ? 0 : r->line, r->span.at};
}

#define CELL(r, ...) add_cell(r, false, arena_printf((r)->arena, __VA_ARGS__))

static const char *new_register(struct reading *r) {
  return arena_printf(r->arena, "r%u", r->next++);
}

static const char *new_label(struct reading *r) {
  return arena_printf(r->arena, "LC%u%02zu", r->kernel->number, r->labels.count);
}

static const char *label_of(struct reading *r, const char *name) {
  for (size_t i = 0; i < r->labels.count; i++)
    if (!strcmp(r->labels.at[i].from, name)) return r->labels.at[i].to;
  struct named label = {arena_strdup(r->arena, name), new_label(r)};
  *vec_push(r->arena, &r->labels) = label;
  return label.to;
}

static const char *register_of(struct reading *r, const char *name) {
  for (size_t i = 0; i < r->registers.count; i++)
    if (!strcmp(r->registers.at[i].from, name)) return r->registers.at[i].to;
  struct named named = {arena_strdup(r->arena, name), new_register(r)};
  *vec_push(r->arena, &r->registers) = named;
  return named.to;
}

/* ---- addresses ---- */

static const struct known *find_known(const struct reading *r, const char *reg) {
  for (size_t i = r->known.count; i-- > 0;)
    if (!strcmp(r->known.at[i].reg, reg)) return &r->known.at[i];
  return NULL;
}

static bool is_number(const char *text) {
  const char *digits = text + (*text == '-');
  return *digits && strspn(digits, "0123456789") == strlen(digits);
}

static void know(struct reading *r, const char *reg, struct known known) {
  const struct known *old = find_known(r, reg);
  known.reg = arena_strdup(r->arena, reg);
  if (old && (old->kind != known.kind || old->parameter != known.parameter || old->offset != known.offset))
    fail(r, "an address is not known before running");
  if (!old) *vec_push(r->arena, &r->known) = known;
}

/* `lds`, or clang's `t0_$_lds`. */
static bool is_shared(const char *operand) {
  size_t length = strlen(operand);
  return *operand != '%' && (!strncmp(operand, "lds", 3) || (length > 3 && !strcmp(operand + length - 3, "lds")));
}

/* A register, number or shared variable whose value is known. */
static bool known_value(struct reading *r, const char *operand, struct known *known) {
  const struct known *found = find_known(r, operand);
  *known = (struct known){.kind = KNOWN_NUMBER};
  if (found)
    *known = *found;
  else if (is_number(operand))
    known->offset = strtoll(operand, NULL, 0);
  else if (is_shared(operand))
    known->kind = KNOWN_SHARED;
  else if (!strncmp(operand, "__local_depot", 13))
    known->kind = KNOWN_PRIVATE;
  else
    return false;
  return true;
}

/* `[%rd1+4]`, `[lds+1204]`, `[t0_param_1]`: the part before the sign, and the number. */
static const char *split_address(struct reading *r, const char *operand, int64_t *offset) {
  size_t length = strlen(operand);
  if (*operand != '[' || operand[length - 1] != ']') return NULL;
  char *inside = arena_strndup(r->arena, operand + 1, length - 2), *sign = strpbrk(inside + 1, "+-");
  *offset = 0;
  if (sign) *offset = strtoll(sign + (*sign == '+'), NULL, 10);
  if (sign) *sign = '\0';
  return inside;
}

enum place_kind { PLACE_CELL, PLACE_RESULT };

struct place {
  enum place_kind kind;
  const char *name; /* of the location, or of the result's register */
};

static bool find_place(struct reading *r, const char *operand, struct place *place) {
  const struct ptx_kernel *k = r->kernel;
  struct known known;
  int64_t offset;
  const char *base = split_address(r, operand, &offset);
  if (!base || !known_value(r, base, &known) || known.kind == KNOWN_NUMBER || known.kind == KNOWN_PRIVATE) {
    fail(r, "the address is not known before running");
    return false;
  }
  offset += known.offset;
  bool result = known.kind == KNOWN_PARAMETER && known.parameter == 0, shared = known.kind == KNOWN_SHARED;
  uint64_t index = (uint64_t)offset / (shared ? SHARED_STRIDE : 4);
  bool whole = offset >= 0 && offset % (shared ? SHARED_STRIDE : 4) == 0;
  *place = (struct place){result ? PLACE_RESULT : PLACE_CELL, NULL};
  if (result && whole && index < k->result_count)
    place->name = k->results[index];
  else if (shared && whole && index < k->shared_count)
    place->name = k->names[k->shared[index]];
  else if (!result && !shared && offset == 0 && known.parameter <= k->location_count)
    place->name = k->names[k->locations[known.parameter - 1]];
  if (!place->name) fail(r, "this address is of no location of the test");
  return place->name != NULL;
}

/* ---- the opcode ---- */

static bool has(const struct reading *r, const char *wanted) {
  for (unsigned i = 1; i < r->word_count; i++)
    if (!strcmp(r->words[i], wanted)) return true;
  return false;
}

static const char *type_of(const struct reading *r) {
  return r->words[r->word_count - 1];
}

static bool is_unsigned(const struct reading *r) {
  return type_of(r)[0] == 'u';
}

static bool is_wide(const struct reading *r) {
  return strstr(type_of(r), "64") != NULL || has(r, "wide");
}

/* Words that say nothing here: spaces are known by the address. */
static bool is_neutral(const char *text) {
  static const char *const NEUTRAL[] = {"global", "shared", "b32", "u32", "s32", NULL};
  for (unsigned i = 0; NEUTRAL[i]; i++)
    if (!strcmp(NEUTRAL[i], text)) return true;
  return false;
}

/* The order and the scope, which an access has after its name.  Words that mean
 * something else are refused. */
struct strength {
  const char *order, *scope, *op;
};

static void refuse_word(struct reading *r, const char *text) {
  fail(r, arena_printf(r->arena, "'.%s' of '%s' is not known here", text, r->words[0]));
}

static bool take_strength(struct reading *r, bool atomic, struct strength *s) {
  static const char *const ORDERS[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc", NULL};
  static const char *const SCOPES[] = {"cta", "gpu", "sys", NULL};
  *s = (struct strength){0};
  for (unsigned i = 1; i < r->word_count; i++) {
    const char *text = r->words[i];
    bool taken = is_neutral(text);
    for (unsigned k = 0; ORDERS[k] && !taken; k++)
      if (!strcmp(ORDERS[k], text)) taken = true, s->order = text;
    for (unsigned k = 0; SCOPES[k] && !taken; k++)
      if (!strcmp(SCOPES[k], text)) taken = true, s->scope = text;
    if (!taken && !atomic && !strcmp(text, "volatile")) {
      *s = (struct strength){"relaxed", "sys", NULL};
      taken = true;
    }
    if (!taken && atomic && !s->op && i + 1 < r->word_count) taken = true, s->op = text;
    if (!taken) refuse_word(r, text);
  }
  return !r->failed;
}

static bool operands_are(struct reading *r, unsigned count) {
  if (r->operand_count != count)
    fail(r, arena_printf(r->arena, "'%s' with %u operands is not known here", r->words[0], r->operand_count));
  return r->operand_count == count && !r->failed;
}

/* A register or a number, in the test. */
static const char *value_of(struct reading *r, const char *operand) {
  struct known known;
  if (*operand != '%' && is_number(operand)) return operand;
  if (known_value(r, operand, &known)) {
    if (known.kind != KNOWN_NUMBER) fail(r, "an address is used as a value");
    return arena_printf(r->arena, "%" PRId64, known.offset);
  }
  if (*operand != '%' && *operand != '[') fail(r, arena_printf(r->arena, "operand '%s' is not known here", operand));
  return register_of(r, operand);
}

/* ---- memory ---- */

/* `[%SP+24]`: the name of this place, as a register has one; NULL: not private memory. */
static const char *private_place(struct reading *r, const char *operand) {
  struct known known;
  int64_t offset;
  const char *base = split_address(r, operand, &offset);
  if (!base || !known_value(r, base, &known) || known.kind != KNOWN_PRIVATE) return NULL;
  return arena_printf(r->arena, "[private+%" PRId64 "]", known.offset + offset);
}

/* Addresses and the thread's number, which is known, go through private memory, too. */
static void move_private(struct reading *r, const char *to, const char *from) {
  const struct known *known = find_known(r, from);
  bool named = false, knew = find_known(r, to) != NULL;
  for (size_t i = 0; i < r->registers.count; i++) named |= !strcmp(r->registers.at[i].from, to);
  bool byte = !strcmp(type_of(r), "b8") || !strcmp(type_of(r), "u8");
  if (known ? named : knew)
    fail(r, "a place in private memory holds now an address, now a value");
  else if (known)
    know(r, to, *known);
  else if (is_wide(r))
    fail(r, "an address is not known before running");
  else if (byte)
    CELL(r, "and %s, %s, 255", register_of(r, to), value_of(r, from));
  else
    CELL(r, "ld %s, %s", register_of(r, to), value_of(r, from));
}

/* false: the access is of other memory. */
static bool read_private(struct reading *r, const char *address, const char *other, bool stores) {
  const char *place = private_place(r, address);
  if (!place) return false;
  if (stores)
    move_private(r, place, other);
  else
    move_private(r, other, place);
  return true;
}

static void read_load(struct reading *r) {
  struct strength s;
  struct place place;
  int64_t offset;
  if (has(r, "param")) {
    const char *name = operands_are(r, 2) ? split_address(r, r->operands[1], &offset) : NULL;
    const char *number = name ? strstr(name, "_param_") : NULL;
    if (!number)
      fail(r, "a parameter that is not known here");
    else
      know(r, r->operands[0],
           (struct known){.kind = KNOWN_PARAMETER, .parameter = (unsigned)strtoul(number + 7, NULL, 10)});
    return;
  }
  if (!operands_are(r, 2) || read_private(r, r->operands[1], r->operands[0], false)) return;
  if (!take_strength(r, false, &s) || !find_place(r, r->operands[1], &place)) return;
  if (place.kind == PLACE_RESULT)
    fail(r, "a result is read");
  else if (s.order && strcmp(s.order, "weak") != 0)
    CELL(r, "ld.%s.%s %s, %s", s.order, s.scope ? s.scope : "?", register_of(r, r->operands[0]), place.name);
  else
    CELL(r, "ld.weak %s, %s", register_of(r, r->operands[0]), place.name);
}

static void read_store(struct reading *r) {
  struct strength s;
  struct place place;
  if (!operands_are(r, 2) || read_private(r, r->operands[0], r->operands[1], true)) return;
  if (!take_strength(r, false, &s) || !find_place(r, r->operands[0], &place)) return;
  const char *value = value_of(r, r->operands[1]);
  if (place.kind == PLACE_RESULT)
    CELL(r, "ld %s, %s", place.name, value);
  else if (s.order && strcmp(s.order, "weak") != 0)
    CELL(r, "st.%s.%s %s, %s", s.order, s.scope ? s.scope : "?", place.name, value);
  else
    CELL(r, "st.weak %s, %s", place.name, value);
}

static void read_atomic(struct reading *r) {
  static const char *const OPS[] = {"add", "and", "or", "xor", "exch", "cas", "min", "max", NULL};
  struct strength s;
  struct place place;
  bool reduces = !strcmp(r->words[0], "red"), known = false;
  if (!take_strength(r, true, &s)) return;
  for (unsigned i = 0; OPS[i] && s.op; i++) known |= !strcmp(OPS[i], s.op);
  bool extreme = s.op && (!strcmp(s.op, "min") || !strcmp(s.op, "max"));
  if (!known || (extreme && is_unsigned(r))) {
    refuse_word(r, s.op ? s.op : "");
    return;
  }
  bool cas = !strcmp(s.op, "cas");
  if (!operands_are(r, cas ? 4 : reduces ? 2 : 3) || !find_place(r, r->operands[!reduces], &place)) return;
  if (place.kind == PLACE_RESULT) fail(r, "a result is changed");
  const char *head = arena_printf(r->arena, "%s.%s.%s.%s", r->words[0], s.order ? s.order : "relaxed",
                                  s.scope ? s.scope : "gpu", s.op);
  const char *value = value_of(r, r->operands[reduces ? 1 : 2]);
  if (reduces)
    CELL(r, "%s %s, %s", head, place.name, value);
  else if (cas)
    CELL(r, "%s %s, %s, %s, %s", head, register_of(r, r->operands[0]), place.name, value, value_of(r, r->operands[3]));
  else
    CELL(r, "%s %s, %s, %s", head, register_of(r, r->operands[0]), place.name, value);
}

static void read_fence(struct reading *r) {
  const char *order = r->word_count > 1 ? r->words[1] : "", *scope = r->word_count > 2 ? r->words[2] : "";
  if (r->word_count != 3 || (strcmp(order, "sc") != 0 && strcmp(order, "acq_rel") != 0))
    refuse_word(r, order);
  else
    CELL(r, "fence.%s.%s", order, scope);
}

static void read_membar(struct reading *r) {
  const char *scope = r->word_count == 2 ? r->words[1] : "";
  if (strcmp(scope, "cta") != 0 && strcmp(scope, "gl") != 0 && strcmp(scope, "sys") != 0)
    refuse_word(r, scope);
  else
    CELL(r, "fence.sc.%s", !strcmp(scope, "gl") ? "gpu" : scope);
}

static void read_barrier(struct reading *r) {
  bool sync = has(r, "sync") || has(r, "red");
  if (!sync || has(r, "red") || r->operand_count != 1)
    fail(r, "this barrier is not known here");
  else
    CELL(r, "bar.cta.sync %u", r->barriers++);
}

/* ---- arithmetic ---- */

/* Of addresses: what can be told now is, and leaves no instruction. */
static bool follow(struct reading *r) {
  const char *name = r->words[0];
  struct known a, b = {.kind = KNOWN_NUMBER};
  if (r->operand_count < 2 || !known_value(r, r->operands[1], &a)) return false;
  if (r->operand_count > 2 && !known_value(r, r->operands[2], &b)) return false;
  bool numbers = a.kind == KNOWN_NUMBER && b.kind == KNOWN_NUMBER;
  if (!strcmp(name, "mov") || !strcmp(name, "cvta") || !strcmp(name, "cvt"))
    know(r, r->operands[0], a);
  else if (!strcmp(name, "add") && (a.kind == KNOWN_NUMBER || b.kind == KNOWN_NUMBER)) {
    struct known sum = a.kind == KNOWN_NUMBER ? b : a;
    sum.offset = a.offset + b.offset;
    know(r, r->operands[0], sum);
  } else if (numbers && !strcmp(name, "mul"))
    know(r, r->operands[0], (struct known){.kind = KNOWN_NUMBER, .offset = a.offset * b.offset});
  else if (numbers && !strcmp(name, "shl"))
    know(r, r->operands[0], (struct known){.kind = KNOWN_NUMBER, .offset = a.offset << b.offset});
  else
    return false;
  return true;
}

static void read_move(struct reading *r) {
  if (!operands_are(r, 2)) return;
  if (!strcmp(r->operands[1], "%tid.x"))
    know(r, r->operands[0], (struct known){.kind = KNOWN_NUMBER});
  else if (is_wide(r) || is_shared(r->operands[1])) {
    if (!follow(r)) fail(r, "an address is not known before running");
  } else
    CELL(r, "ld %s, %s", register_of(r, r->operands[0]), value_of(r, r->operands[1]));
}

/* As a number of 32 bits without a sign, which comparisons of `.u32` are of. */
static const char *without_sign(struct reading *r, const char *value) {
  if (*value != 'r') return arena_printf(r->arena, "%" PRIu32, (uint32_t)strtoll(value, NULL, 0));
  const char *masked = new_register(r);
  CELL(r, "and %s, %s, 4294967295", masked, value);
  return masked;
}

static void read_comparison(struct reading *r) {
  static const struct {
    const char *word, *to;
    bool plain;
  } COMPARISONS[] = {{"eq", "eq", false}, {"ne", "ne", false}, {"lt", "lt", false}, {"le", "le", false},
                     {"gt", "gt", false}, {"ge", "ge", false}, {"lo", "lt", true},  {"ls", "le", true},
                     {"hi", "gt", true},  {"hs", "ge", true}};
  const char *to = NULL;
  bool plain = is_unsigned(r);
  for (unsigned i = 0; i < sizeof COMPARISONS / sizeof *COMPARISONS; i++) {
    if (strcmp(COMPARISONS[i].word, r->words[1]) != 0) continue;
    to = COMPARISONS[i].to;
    plain |= COMPARISONS[i].plain;
  }
  if (!to || r->word_count != 3 || is_wide(r)) {
    refuse_word(r, r->words[1]);
    return;
  }
  if (!operands_are(r, 3)) return;
  const char *a = value_of(r, r->operands[1]), *b = value_of(r, r->operands[2]);
  bool equality = !strcmp(to, "eq") || !strcmp(to, "ne");
  if (plain && !equality) a = without_sign(r, a), b = without_sign(r, b);
  CELL(r, "set.%s %s, %s, %s", to, register_of(r, r->operands[0]), a, b);
}

static void read_selection(struct reading *r) {
  if (!operands_are(r, 4)) return;
  const char *a = value_of(r, r->operands[1]), *b = value_of(r, r->operands[2]), *c = value_of(r, r->operands[3]);
  CELL(r, "selp %s, %s, %s, %s", register_of(r, r->operands[0]), a, b, c);
}

/* not, neg, and on predicates not. */
static void read_unary(struct reading *r) {
  if (!operands_are(r, 2)) return;
  const char *a = value_of(r, r->operands[1]), *to = register_of(r, r->operands[0]);
  if (!strcmp(r->words[0], "neg"))
    CELL(r, "sub %s, 0, %s", to, a);
  else if (!strcmp(type_of(r), "pred"))
    CELL(r, "set.eq %s, %s, 0", to, a);
  else
    CELL(r, "xor %s, %s, -1", to, a);
}

static void read_arithmetic(struct reading *r) {
  if (r->operand_count == 3 && follow(r)) return;
  if (is_wide(r)) {
    fail(r, "an address is not known before running");
    return;
  }
  bool sign_matters = !strcmp(r->words[0], "div") || !strcmp(r->words[0], "rem") || !strcmp(r->words[0], "shr");
  if ((sign_matters && is_unsigned(r)) || has(r, "hi")) {
    refuse_word(r, has(r, "hi") ? "hi" : type_of(r));
    return;
  }
  if (!operands_are(r, 3)) return;
  const char *a = value_of(r, r->operands[1]), *b = value_of(r, r->operands[2]);
  CELL(r, "%s %s, %s, %s", r->words[0], register_of(r, r->operands[0]), a, b);
}

static void read_conversion(struct reading *r) {
  if (!operands_are(r, 2) || follow(r)) return;
  fail(r, "an address is not known before running");
}

/* ---- control ---- */

static void read_jump(struct reading *r) {
  if (operands_are(r, 1)) CELL(r, "goto %s", label_of(r, r->operands[0]));
}

static void read_end(struct reading *r) {
  if (!r->end) r->end = label_of(r, "the end");
  CELL(r, "goto %s", r->end);
}

static const struct {
  const char *name;
  void (*read)(struct reading *r);
} INSTRUCTIONS[] = {
    {"ld", read_load},        {"st", read_store},        {"atom", read_atomic},    {"red", read_atomic},
    {"fence", read_fence},    {"membar", read_membar},   {"bar", read_barrier},    {"barrier", read_barrier},
    {"mov", read_move},       {"setp", read_comparison}, {"selp", read_selection}, {"not", read_unary},
    {"neg", read_unary},      {"add", read_arithmetic},  {"sub", read_arithmetic}, {"mul", read_arithmetic},
    {"and", read_arithmetic}, {"or", read_arithmetic},   {"xor", read_arithmetic}, {"shl", read_arithmetic},
    {"shr", read_arithmetic}, {"div", read_arithmetic},  {"rem", read_arithmetic}, {"cvta", read_conversion},
    {"cvt", read_conversion}, {"bra", read_jump},        {"ret", read_end},        {"exit", read_end},
};

/* ---- lines ---- */

/* Splits `ld.acquire.gpu.b32 %r1, [%rd2]`: words, then operands. */
static void split_instruction(struct reading *r, char *text) {
  size_t head = strcspn(text, " \t");
  char *rest = text + head, *piece;
  if (*rest) *rest++ = '\0';
  r->word_count = r->operand_count = 0;
  while ((piece = strsep(&text, ".:"))) {
    if (!*piece) continue;
    if (r->word_count == WORDS) {
      fail(r, "an instruction with so many words is not known here");
      return;
    }
    r->words[r->word_count++] = piece;
  }
  while ((piece = strsep(&rest, ","))) {
    piece += strspn(piece, " \t");
    size_t length = strlen(piece);
    while (length && isspace((unsigned char)piece[length - 1])) piece[--length] = '\0';
    if (!length) continue;
    if (r->operand_count == OPERANDS || strchr(piece, '{')) {
      fail(r, "these operands are not known here");
      return;
    }
    r->operands[r->operand_count++] = piece;
  }
}

/* A guard, `@%p1` or `@!%p1`: a jump takes it in, anything else is jumped around. */
static void read_guarded(struct reading *r, char *text) {
  bool negated = text[1] == '!';
  char *predicate = text + 1 + negated, *instruction = predicate + strcspn(predicate, " \t");
  if (*instruction) *instruction++ = '\0';
  instruction += strspn(instruction, " \t");
  const char *p = register_of(r, predicate);
  split_instruction(r, instruction);
  if (r->failed || !r->word_count) return;
  if (!strcmp(r->words[0], "bra") && r->operand_count == 1) {
    CELL(r, "%s %s, 0, %s", negated ? "beq" : "bne", p, label_of(r, r->operands[0]));
    return;
  }
  const char *around = label_of(r, arena_printf(r->arena, "around %zu", r->column->count));
  CELL(r, "%s %s, 0, %s", negated ? "bne" : "beq", p, around);
  for (unsigned i = 0; i < sizeof INSTRUCTIONS / sizeof *INSTRUCTIONS; i++)
    if (!strcmp(INSTRUCTIONS[i].name, r->words[0])) INSTRUCTIONS[i].read(r);
  add_cell(r, true, arena_printf(r->arena, "%s:", around));
}

static void read_instruction(struct reading *r, char *text) {
  if (*text == '@') {
    read_guarded(r, text);
    return;
  }
  split_instruction(r, text);
  for (unsigned i = 0; i < sizeof INSTRUCTIONS / sizeof *INSTRUCTIONS && !r->failed && r->word_count; i++)
    if (!strcmp(INSTRUCTIONS[i].name, r->words[0])) {
      INSTRUCTIONS[i].read(r);
      return;
    }
  if (!r->failed) fail(r, arena_printf(r->arena, "'%s' is not in the instruction set of tests", r->words[0]));
}

/* `.loc 1 12 0`: the source's line. */
static void read_directive(struct reading *r, const char *text) {
  unsigned file, line;
  if (sscanf(text, ".loc %u %u", &file, &line) == 2) r->line = line;
}

static void read_line(struct reading *r, struct span span) {
  const char *from = r->kernel->source->text + span.at;
  char *text = arena_strndup(r->arena, from, span.length), *comment = strstr(text, "//");
  if (comment) *comment = '\0';
  size_t blanks = strspn(text, " \t"), length = strlen(text);
  while (length > blanks && isspace((unsigned char)text[length - 1])) text[--length] = '\0';
  text += blanks;
  length -= blanks;
  r->span = (struct span){span.at + (uint32_t)blanks, (uint32_t)length};
  if (!length || *text == '{' || *text == '}' || *text == ')') return;
  if (*text == '.') {
    read_directive(r, text);
    return;
  }
  if (text[length - 1] == ':') {
    text[length - 1] = '\0';
    if (!strncmp(text, "$L__BB", 6)) add_cell(r, true, arena_printf(r->arena, "%s:", label_of(r, text)));
    return;
  }
  if (text[length - 1] != ';') {
    fail(r, "a line that is not known here");
    return;
  }
  text[length - 1] = '\0';
  read_instruction(r, text);
}

/* The last instruction is the end: no jump is needed. */
static void close_column(struct reading *r) {
  struct column *c = r->column;
  bool jumps = r->end && c->count && !c->at[c->count - 1].label &&
               !strcmp(c->at[c->count - 1].text, arena_printf(r->arena, "goto %s", r->end));
  if (jumps) c->count--;
  bool needed = false;
  for (size_t i = 0; i < c->count && r->end; i++) needed |= strstr(c->at[i].text, r->end) != NULL;
  if (needed) add_cell(r, true, arena_printf(r->arena, "%s:", r->end));
}

bool ptx_read(struct arena *arena, const struct ptx_kernel *kernel, struct column *column, struct diags *diags) {
  struct reading r = {.arena = arena, .kernel = kernel, .column = column, .diags = diags, .next = kernel->next};
  for (size_t i = 0; i < kernel->line_count && !r.failed; i++) read_line(&r, kernel->lines[i]);
  if (!r.failed) close_column(&r);
  return !r.failed;
}
