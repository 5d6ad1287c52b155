/* SPDX-License-Identifier: MIT */
/* Reading of PTX text (PTX ISA, "Instruction Set"), as far as litmus tests need
 * it: virtual registers of 32 bits and predicates become registers of the test;
 * those of 64 bits too, unless they hold addresses, which are followed while
 * reading, from the parameters, shared memory and numbers that are known, with what
 * a register adds to them.
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
#include "checker/ptx/read.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/text.h"
#include "checker/ptx/reading.h"

/* ---- addresses ---- */

/* A copy of what the register holds now: it may change before the address is used. */
static const char *copy_of(struct ptx_reading *r, const char *operand, bool plain) {
  const char *value = nvptx_value(r, operand), *copy = nvptx_new_register(r);
  CELL(r, plain ? "and %s, %s, 4294967295" : "ld %s, %s", copy, value);
  return copy;
}

/* Where 32 bits become 64, the value of a register becomes part of an address: what it is now, in a register of its
 * own. */
static bool take_index(struct ptx_reading *r, const char *operand, struct ptx_known *known) {
  bool multiplies = !strcmp(r->words[0], "mul") && nvptx_has(r, "wide");
  bool converts = !strcmp(r->words[0], "cvt") && strstr(r->words[1], "64") && strstr(nvptx_type(r), "32");
  if (!(multiplies || converts) || *operand != '%') return false;
  *known = (struct ptx_known){.kind = KNOWN_NUMBER, .index = copy_of(r, operand, nvptx_is_unsigned(r)), .scale = 1};
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

/* What is added to an address: 64 bits that only a run knows are part of it, too. */
static bool take_addend(struct ptx_reading *r, const char *operand, const struct ptx_known *to,
                        struct ptx_known *known) {
  static const char *const SUMS[] = {"add", "sub", NULL};
  if (!text_is_one_of(r->words[0], SUMS) || to->kind == KNOWN_NUMBER || *operand != '%') return false;
  *known = (struct ptx_known){.kind = KNOWN_NUMBER, .index = copy_of(r, operand, false), .scale = 1};
  return true;
}

/* Of two numbers in registers, the sum in one. */
static struct ptx_known plus(struct ptx_reading *r, struct ptx_known a, struct ptx_known b) {
  struct ptx_known sum = a.kind == KNOWN_NUMBER ? b : a;
  sum.offset = (int64_t)((uint64_t)a.offset + (uint64_t)b.offset);
  sum.index = a.index ? a.index : b.index;
  sum.scale = a.index ? a.scale : b.scale;
  sum.joined = a.joined ? a.joined : b.joined;
  if (!a.index || !b.index) return sum;
  const char *first = nvptx_new_register(r), *second = nvptx_new_register(r);
  CELL(r, "mul %s, %s, %" PRId64, first, a.index, a.scale);
  CELL(r, "mul %s, %s, %" PRId64, second, b.index, b.scale);
  CELL(r, "add %s, %s, %s", first, first, second);
  sum.index = first;
  sum.scale = 1;
  return sum;
}

/* The two operands of an addition, one of which may be known only to a run. */
static bool take_operands(struct ptx_reading *r, struct ptx_known *a, struct ptx_known *b) {
  const char *first = r->operands[1], *second = r->operand_count > 2 ? r->operands[2] : NULL;
  bool a_known = nvptx_known_value(r, first, a) || take_index(r, first, a);
  bool b_known = !second || nvptx_known_value(r, second, b);
  if (!second) *b = (struct ptx_known){.kind = KNOWN_NUMBER};
  if (a_known && !b_known) b_known = take_addend(r, second, a, b);
  if (b_known && !a_known && second) a_known = take_addend(r, first, b, a);
  return a_known && b_known;
}

/* `cvt.u64.u32 %rd1, %r1`: nothing changes; a part of what a register holds is no address. */
static bool converts_whole(struct ptx_reading *r, struct ptx_known *known) {
  const char *type = nvptx_type(r);
  if (strcmp(r->words[0], "cvt") != 0 || nvptx_bits(type) == 64) return true;
  if (nvptx_bits(type) != 32 || (known->index && text_begins(r->operands[1], "%rd"))) return false;
  if (!known->index && known->kind == KNOWN_NUMBER)
    known->offset = *type == 's' ? (int32_t)known->offset : (int64_t)(uint32_t)known->offset;
  return true;
}

/* Notes what the result is known to be; of 32 bits, numbers keep as many. */
static bool note_result(struct ptx_reading *r, struct ptx_known known) {
  if (is_number(&known) && nvptx_bits(nvptx_type(r)) == 32 && !nvptx_has(r, "wide") && strcmp(r->words[0], "cvt") != 0)
    known.offset = (int32_t)known.offset;
  nvptx_know(r, r->operands[0], known);
  return true;
}

/* `mad.wide.s32 %rd3, %r1, 4, %rd2`, where the sum is an address or a number. */
static bool follow_product_and_sum(struct ptx_reading *r) {
  struct ptx_known a, factor, c;
  bool known = nvptx_known_value(r, r->operands[3], &c) && nvptx_known_value(r, r->operands[2], &factor);
  if (nvptx_has(r, "hi") || !known || !is_number(&factor)) return false;
  if (nvptx_has(r, "wide") && nvptx_is_unsigned(r)) factor.offset = (uint32_t)factor.offset;
  if (!nvptx_known_value(r, r->operands[1], &a) || a.kind != KNOWN_NUMBER) {
    if (c.kind == KNOWN_NUMBER || *r->operands[1] != '%') return false;
    bool plain = nvptx_has(r, "wide") && nvptx_is_unsigned(r);
    a = (struct ptx_known){.kind = KNOWN_NUMBER, .index = copy_of(r, r->operands[1], plain), .scale = 1};
  }
  return note_result(r, plus(r, times(a, factor.offset), c));
}

/* Of addresses: what can be told now is, and leaves no other instruction. */
static bool follow(struct ptx_reading *r) {
  const char *name = r->words[0];
  bool upper_half = nvptx_has(r, "hi"), narrows = !strcmp(name, "cvt") && !strstr(r->words[1], "64");
  struct ptx_known a, b;
  if (r->operand_count == 4 && !strcmp(name, "mad")) return follow_product_and_sum(r);
  if (r->operand_count < 2 || r->operand_count > 3 || upper_half || !take_operands(r, &a, &b)) return false;
  if (!converts_whole(r, &a)) return false;
  if (narrows && (a.index || nvptx_bits(r->words[1]) < 32)) return false; /* loses bits in a run only */
  if (narrows && is_number(&a)) a.offset = (int32_t)a.offset;
  if (nvptx_has(r, "wide") && nvptx_is_unsigned(r)) { /* LLVM writes it with a sign */
    b.offset = (uint32_t)b.offset;
    if (!a.index) a.offset = (uint32_t)a.offset;
  }
  if (!strcmp(name, "mov") || !strcmp(name, "cvta") || !strcmp(name, "cvt")) return note_result(r, a);
  if (!strcmp(name, "add") && (a.kind == KNOWN_NUMBER || b.kind == KNOWN_NUMBER)) return note_result(r, plus(r, a, b));
  if (!strcmp(name, "sub") && b.kind == KNOWN_NUMBER && !b.joined) return note_result(r, plus(r, a, times(b, -1)));
  if (a.kind == KNOWN_NUMBER && is_number(&b) && !strcmp(name, "mul")) return note_result(r, times(a, b.offset));
  if (a.kind == KNOWN_NUMBER && is_number(&b) && !strcmp(name, "shl") && b.offset >= 0 && b.offset < 32)
    return note_result(r, times(a, (int64_t)1 << b.offset));
  return false;
}

/* ---- values ---- */

/* `.b32`, `.u32` and `.f32` as `.s32`: results have a sign, so that the same bits are the same number. */
static const char *with_sign(struct ptx_reading *r, const char *type) {
  return arena_printf(r->arena, "s%u", nvptx_bits(type));
}

static bool is_float(const char *type) {
  return (*type == 'f' || *type == 'b') && text_begins(type + (*type == 'b'), "f") && nvptx_bits(type);
}

/* What an opcode may have besides types: the others are refused. */
static bool is_known_word(const char *text) {
  static const char *const WORDS[] = {"lo",       "hi",  "wide", "sat", "l",    "r",  "clamp", "wrap",
                                      "shiftamt", "eq",  "ne",   "lt",  "le",   "gt", "ge",    "ls",
                                      "hs",       "and", "or",   "xor", "pred", "to", NULL};
  return text_is_one_of(text, WORDS);
}

static bool computes_with_floats(const struct ptx_reading *r) {
  bool floats = false;
  for (unsigned i = 1; i < r->word_count; i++) floats |= is_float(r->words[i]);
  return floats && strcmp(r->words[0], "mov") != 0 && strcmp(r->words[0], "selp") != 0;
}

/* The opcode of arithmetic of floats, which tests have as it is. */
static const char *float_opcode(struct ptx_reading *r) {
  static const char *const WORDS[] = {"rn",  "rni", "rzi", "rmi", "rpi", "ftz", "sat", "NaN", "eq",
                                      "ne",  "lt",  "le",  "gt",  "ge",  "equ", "neu", "ltu", "leu",
                                      "gtu", "geu", "num", "nan", "and", "or",  "xor", NULL};
  const char *text = r->words[0];
  for (unsigned i = 1; i < r->word_count; i++) {
    if (!nvptx_bits(r->words[i]) && !text_is_one_of(r->words[i], WORDS)) nvptx_refuse_word(r, r->words[i]);
    text = arena_printf(r->arena, "%s.%s", text, r->words[i]);
  }
  return text;
}

/* The opcode of the instruction in a test. Its first type, but for comparisons, is that of the result. */
static const char *opcode_of(struct ptx_reading *r) {
  const char *name = r->words[0], *text = name;
  bool typed = !strcmp(name, "setp");
  bool sign_matters = nvptx_has(r, "hi") || nvptx_has(r, "wide") || nvptx_has(r, "sat");
  for (unsigned i = 1; i < r->word_count; i++) {
    const char *word = r->words[i];
    bool type = nvptx_bits(word) > 0, cut = !strcmp(name, "cvt") && !typed && !nvptx_has(r, "sat");
    static const char *const ALIKE[] = {"add", "sub", "mul", "mad", "and", "or", "xor", "shl", "not", "neg", NULL};
    bool product = !strcmp(word, "hi") && strcmp(name, "setp") != 0; /* of 64 bits it has 128 */
    if ((!type && !is_known_word(word)) || (product && nvptx_bits(nvptx_type(r)) == 64)) nvptx_refuse_word(r, word);
    bool replaced = *word == 'b' || *word == 'f' || cut || (text_is_one_of(name, ALIKE) && !sign_matters);
    text = arena_printf(r->arena, "%s.%s", text, type && replaced ? with_sign(r, word) : word);
    typed |= type;
  }
  return text;
}

/* Does the result need its sign? Of numbers without one, yes. */
static const char *result_of(struct ptx_reading *r, const char *opcode, bool floats) {
  const char *point = strstr(opcode, ".u"), *type = floats ? nvptx_first_type(r) : point ? point + 1 : "";
  if (*type != 'u' || !strcmp(r->words[0], "setp") || (!floats && !strcmp(r->words[0], "cvt"))) return NULL;
  unsigned bits = nvptx_bits(type) * (nvptx_has(r, "wide") ? 2 : 1);
  return bits < 64 ? arena_printf(r->arena, "mov.s%u", bits) : NULL;
}

/* A number that is known, of the instruction's type. */
static bool take_number(struct ptx_reading *r, const char *operand, int64_t *number) {
  struct ptx_known known;
  const char *type = nvptx_type(r);
  if (!nvptx_known(r, operand) && *operand == '%') return false;
  if (!nvptx_known_value(r, operand, &known) || !is_number(&known)) return false;
  unsigned bits = nvptx_bits(type);
  *number = width_fit((struct width){.bits = bits < 64 ? bits : 0, .is_signed = *type != 'u'}, known.offset);
  return bits > 0;
}

/* `setp.lt.s32 %p1, %r1, 2` of numbers that are known. */
static bool compare_known(struct ptx_reading *r) {
  static const struct {
    const char *word;
    enum expr_kind kind;
  } COMPARISONS[] = {{"eq", EXPR_EQ}, {"ne", EXPR_NE}, {"lt", EXPR_LT}, {"le", EXPR_LE}, {"gt", EXPR_GT},
                     {"ge", EXPR_GE}, {"lo", EXPR_LT}, {"ls", EXPR_LE}, {"hi", EXPR_GT}, {"hs", EXPR_GE}};
  int64_t a, b;
  if (r->operand_count != 3 || r->word_count != 3 || !take_number(r, r->operands[1], &a) ||
      !take_number(r, r->operands[2], &b))
    return false;
  int row = ROW_INDEX(COMPARISONS, ARRAY_COUNT(COMPARISONS), word, r->words[1]);
  bool plain = *nvptx_type(r) != 'u' || (a >= 0 && b >= 0); /* of 64 bits without a sign others are too large */
  if (row < 0 || !plain) return false;
  nvptx_know(r, r->operands[0], (struct ptx_known){.offset = expr_apply(COMPARISONS[row].kind, a, b, 0, NULL)});
  return true;
}

/* `selp.b64 %rd1, %rd2, %rd3, %p1` of addresses, or by a predicate that is known. */
static bool select_known(struct ptx_reading *r) {
  struct ptx_known a, b;
  if (r->operand_count != 4) return false;
  const char *to = r->operands[0];
  const struct ptx_known *p = nvptx_known(r, r->operands[3]);
  const struct ptx_known *first = nvptx_known(r, r->operands[1]), *second = nvptx_known(r, r->operands[2]);
  bool addresses = first && second && first->kind != KNOWN_NUMBER && second->kind != KNOWN_NUMBER;
  if (p && (p->offset ? first : second)) {
    if (!nvptx_known_value(r, r->operands[p->offset ? 1 : 2], &a)) return false;
    nvptx_know(r, to, a);
    return true;
  }
  if (!addresses || !nvptx_known_value(r, r->operands[1], &a) || !nvptx_known_value(r, r->operands[2], &b))
    return false;
  const char *around = nvptx_label(r, arena_printf(r->arena, "selected %zu", r->column->count));
  nvptx_know(r, to, a);
  CELL(r, "bne %s, 0, %s", nvptx_register(r, r->operands[3]), around);
  nvptx_know(r, to, b);
  nvptx_cell(r, true, arena_printf(r->arena, "%s:", around));
  return true;
}

static void read_operation(struct ptx_reading *r) {
  bool floats = computes_with_floats(r);
  bool compares = !strcmp(r->words[0], "setp"), selects = !strcmp(r->words[0], "selp");
  if (!floats && (compares ? compare_known(r) : selects ? select_known(r) : follow(r))) return;
  const char *opcode = floats ? float_opcode(r) : opcode_of(r), *values = "";
  if (r->failed || r->operand_count < 2) {
    nvptx_fail(r, arena_printf(r->arena, "'%s' with %u operands is not known here", r->words[0], r->operand_count));
    return;
  }
  for (unsigned i = 1; i < r->operand_count; i++)
    values = arena_printf(r->arena, "%s, %s", values, nvptx_value(r, r->operands[i]));
  const char *to = nvptx_register(r, r->operands[0]), *narrowed = result_of(r, opcode, floats);
  CELL(r, "%s %s%s", opcode, to, values);
  if (narrowed) CELL(r, "%s %s, %s", narrowed, to, to);
}

static void read_move(struct ptx_reading *r) {
  if (!nvptx_operands_are(r, 2)) return;
  const char *from = r->operands[1];
  if (!(nvptx_known(r, from) || nvptx_is_wide(r) || nvptx_is_shared(from)) || !follow(r))
    CELL(r, "ld %s, %s", nvptx_register(r, r->operands[0]), nvptx_value(r, from));
}

/* An address that is none of the test's: what it points to is its value. */
static void read_generic(struct ptx_reading *r) {
  if (!follow(r)) nvptx_fail(r, "an address is not known before running");
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
    {"ld", nvptx_read_load},
    {"st", nvptx_read_store},
    {"atom", nvptx_read_atomic},
    {"red", nvptx_read_atomic},
    {"fence", nvptx_read_fence},
    {"membar", nvptx_read_membar},
    {"bar", nvptx_read_barrier},
    {"barrier", nvptx_read_barrier},
    {"mov", read_move},
    {"cvta", read_generic},
    {"bra", read_jump},
    {"brx", read_jump_by_index},
    {"ret", read_end},
    {"exit", read_end},
    {"setp", read_operation},
    {"selp", read_operation},
    {"not", read_operation},
    {"neg", read_operation},
    {"abs", read_operation},
    {"add", read_operation},
    {"sub", read_operation},
    {"mul", read_operation},
    {"mad", read_operation},
    {"div", read_operation},
    {"rem", read_operation},
    {"min", read_operation},
    {"max", read_operation},
    {"and", read_operation},
    {"or", read_operation},
    {"xor", read_operation},
    {"shl", read_operation},
    {"shr", read_operation},
    {"cvt", read_operation},
    {"bfe", read_operation},
    {"bfi", read_operation},
    {"prmt", read_operation},
    {"shf", read_operation},
    {"lop3", read_operation},
    {"popc", read_operation},
    {"clz", read_operation},
    {"brev", read_operation},
    {"bfind", read_operation},
    {"mul24", read_operation},
    {"mad24", read_operation},
    {"sad", read_operation},
    {"slct", read_operation},
    {"cnot", read_operation},
    {"fma", read_operation},
    {"rcp", read_operation},
    {"set", read_operation},
    {"copysign", read_operation},
    {"shfl", nvptx_read_gathering},
    {"vote", nvptx_read_gathering},
    {"match", nvptx_read_gathering},
    {"redux", nvptx_read_gathering},
    {"elect", nvptx_read_open},
    {"activemask", nvptx_read_open},
};

/* ---- lines ---- */

/* Up to the next comma outside braces; NULL: there is no more. */
static char *take_operand(char **rest) {
  char *piece = *rest, *end = piece;
  if (!piece) return NULL;
  for (bool within = false; *end && (within || *end != ','); end++) within = *end == '{' || (within && *end != '}');
  *rest = *end ? end + 1 : NULL;
  *end = '\0';
  return piece;
}

static bool is_vector(const struct ptx_reading *r) {
  bool access = r->word_count && (!strcmp(r->words[0], "ld") || !strcmp(r->words[0], "st"));
  return access && (nvptx_has(r, "v2") || nvptx_has(r, "v4"));
}

/* Of `%r1|%p1`, the part from the bar on; the other one ends there. */
static const char *second_result(char *bar) {
  char *name = bar + 1 + strspn(bar + 1, " ");
  while (bar[-1] == ' ') bar--;
  *bar = '\0';
  return strcmp(name, "_") != 0 ? name : NULL;
}

/* Splits `ld.acquire.gpu.b32 %r1, [%rd2]`: words, then operands. */
static void split_instruction(struct ptx_reading *r, char *text) {
  size_t head = strcspn(text, " \t");
  char *rest = text + head, *piece;
  if (*rest) *rest++ = '\0';
  r->word_count = r->operand_count = 0;
  r->predicate = NULL;
  while ((piece = strsep(&text, "."))) {
    if (!*piece) continue;
    if (r->word_count == PTX_WORDS) {
      nvptx_fail(r, "an instruction with so many words is not known here");
      return;
    }
    r->words[r->word_count++] = piece;
  }
  while ((piece = take_operand(&rest))) {
    piece += strspn(piece, " \t");
    size_t length = strlen(piece);
    while (length && isspace((unsigned char)piece[length - 1])) piece[--length] = '\0';
    if (!length) continue;
    char *bar = r->operand_count ? NULL : strchr(piece, '|');
    if (bar) r->predicate = second_result(bar);
    if (r->operand_count == PTX_OPERANDS || strchr(piece, '|') || (strchr(piece, '{') && !is_vector(r))) {
      nvptx_fail(r, "these operands are not supported");
      return;
    }
    r->operands[r->operand_count++] = piece;
  }
}

static void count_instruction(struct ptx_reading *r) {
  static const char *const ORDERS[] = {"acquire", "release", "acq_rel", "sc", NULL};
  struct code_size *size = &r->column->size;
  bool fence = !strcmp(r->words[0], "fence") || !strcmp(r->words[0], "membar");
  bool ordered = false;
  for (unsigned i = 1; i < r->word_count; i++) ordered |= text_is_one_of(r->words[i], ORDERS);
  size->instructions++;
  size->fences += fence;
  size->ordered += ordered && !fence;
}

/* What has no effect that a test could see. */
static const char *const IDLE[] = {"prefetch",  "prefetchu", "createpolicy", "applypriority",
                                   "nanosleep", "pmevent",   "setmaxnreg",   NULL};

/* `ld.v2.u32 {%r1, %r2}, [%rd1]`: one access after the other. */
static void read_elements(struct ptx_reading *r, void (*read)(struct ptx_reading *r)) {
  bool loads = *r->operands[0] == '{';
  int64_t offset, bytes = nvptx_bits(nvptx_type(r)) / 8;
  const char *list = r->operands[!loads];
  const char *base = nvptx_operands_are(r, 2) ? nvptx_split_address(r, r->operands[loads], &offset) : NULL;
  size_t count = 0;
  const char **all = text_split(r->arena, list, "{}, ", &count);
  if (!base || *list != '{') nvptx_fail(r, "these operands are not supported");
  for (size_t i = 0; i < count && !r->failed; i++) {
    r->operands[!loads] = all[i];
    r->operands[loads] = arena_printf(r->arena, "[%s+%" PRId64 "]", base, offset + (int64_t)i * bytes);
    if (strcmp(all[i], "_") != 0) read(r);
  }
}

/* The instruction at hand, which has been split. */
static void read_named(struct ptx_reading *r) {
  static const char *const OF_TWO[] = {"shfl", "match", "elect", NULL};
  if (r->predicate && !text_is_one_of(r->words[0], OF_TWO)) nvptx_fail(r, "these operands are not supported");
  bool passes = !strcmp(r->words[0], "st") && nvptx_has(r, "param") && r->operand_count;
  bool calls = !strcmp(r->words[0], "call") || (passes && !nvptx_is_passed(r, r->operands[0]));
  if (calls) nvptx_fail(r, "a call of a function whose code is not here");
  if (calls || text_is_one_of(r->words[0], IDLE)) return;
  for (unsigned i = 0; i < ARRAY_COUNT(INSTRUCTIONS); i++)
    if (!strcmp(INSTRUCTIONS[i].name, r->words[0])) {
      if (is_vector(r))
        read_elements(r, INSTRUCTIONS[i].read);
      else
        INSTRUCTIONS[i].read(r);
      return;
    }
  nvptx_fail(r, arena_printf(r->arena, "'%s' is not an instruction that is known here", r->words[0]));
}

/* A guard, `@%p1` or `@!%p1`: a jump takes it in, anything else is jumped around. */
static void read_guarded(struct ptx_reading *r, char *text) {
  bool negated = text[1] == '!';
  char *predicate = text + 1 + negated, *instruction = predicate + strcspn(predicate, " \t");
  if (*instruction) *instruction++ = '\0';
  instruction += strspn(instruction, " \t");
  const struct ptx_known *known = nvptx_known(r, predicate);
  bool taken = known && (known->offset != 0) != negated;
  if (known && !taken) return;
  const char *p = known ? NULL : nvptx_register(r, predicate);
  split_instruction(r, instruction);
  if (r->failed || !r->word_count) return;
  count_instruction(r);
  if (known) {
    read_named(r);
    return;
  }
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
  if (r->failed || !r->word_count) return;
  count_instruction(r);
  read_named(r);
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

static void read_label(struct ptx_reading *r, const char *name) {
  nvptx_cell(r, true, arena_printf(r->arena, "%s:", nvptx_label(r, name)));
  for (size_t i = 0; i < r->labels.count; i++) {
    struct ptx_named *label = &r->labels.at[i];
    if (strcmp(label->from, name) != 0) continue;
    if (label->defined) nvptx_fail(r, arena_printf(r->arena, "a second label %s", name));
    label->defined = true;
  }
}

/* Jumps go to labels that there are; the reader's own have a blank in their names. */
static void check_labels(struct ptx_reading *r) {
  for (size_t i = 0; i < r->labels.count && !r->failed; i++) {
    const struct ptx_named *label = &r->labels.at[i];
    if (label->defined || strchr(label->from, ' ')) continue;
    r->span = label->span;
    nvptx_fail(r, arena_printf(r->arena, "there is no label %s", label->from));
  }
}

static void read_line(struct ptx_reading *r, const struct ptx_statement *statement) {
  char *text = arena_strdup(r->arena, statement->text);
  size_t length = strlen(text);
  r->span = statement->span;
  if (!length || *text == '{' || *text == '}' || *text == ')') return;
  if (read_targets(r, text)) return;
  if (*text == '.') {
    read_directive(r, text);
    return;
  }
  if (text[length - 1] == ':') {
    text[length - 1] = '\0';
    bool of_compiler = text_begins(text, "$L__"), jumped_to = text_begins(text, "$L__BB"); /* the others: of lines */
    if (!of_compiler || jumped_to) read_label(r, text);
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

const struct ptx_statement *ptx_lines(struct arena *arena, const struct source *source, const struct span *lines,
                                      size_t count) {
  struct ptx_statement *statements = ARENA_ARRAY(arena, struct ptx_statement, count + 1);
  for (size_t i = 0; i < count; i++) {
    const char *text = source->text + lines[i].at;
    const char *comment = memmem(text, lines[i].length, "//", 2);
    struct cursor c = {source->text, lines[i].at, lines[i].at + lines[i].length};
    struct span span = cursor_trim(&c, comment ? (uint32_t)(comment - source->text) : c.end);
    statements[i] = (struct ptx_statement){arena_strndup(arena, source->text + span.at, span.length), span};
  }
  return statements;
}

/* Is it a label to which the statement may jump?  To one of a table, wherever the table stands. */
static bool may_jump_to(const char *text, const char *label) {
  size_t length = strcspn(label, ":");
  if (label[length] != ':') return false;
  const char *jump = strstr(text, "bra"), *table = strstr(text, "brx.idx"), *target = strrchr(text, ' ');
  return table || (jump && target && !strncmp(target + 1, label, length) && target[1 + length] == ';');
}

static bool may_jump_before(const struct ptx_kernel *kernel, size_t jump, size_t end) {
  for (size_t i = 0; i < end; i++)
    if (may_jump_to(kernel->statements[jump].text, kernel->statements[i].text)) return true;
  return false;
}

bool ptx_barriers_depend(const struct ptx_kernel *kernel) {
  static const char *const TOGETHER[] = {"shfl.", "vote.", "match.", "redux."};
  bool jumps = false;
  size_t last = 0; /* barrier */
  for (size_t i = 0; i < kernel->statement_count; i++) {
    const char *text = kernel->statements[i].text;
    jumps |= *text == '@' || text_begins(text, "bra") || text_begins(text, "brx");
    size_t length = strlen(text), guard = *text == '@' ? strcspn(text, " ") + 1 : 0;
    bool meets = guard < length && text_begins(text + guard, "bar");
    for (size_t k = 0; guard < length && k < ARRAY_COUNT(TOGETHER); k++)
      if (text_begins(text + guard, TOGETHER[k])) return true;
    bool plain = text_ends_in(text, "0;") && isspace((unsigned char)text[length - 3]);
    if (meets && (jumps || !plain)) return true;
    if (meets) last = i;
    if (may_jump_before(kernel, i, last)) return true;
  }
  return false;
}

/* Once; with registers of the test for those of which it is known that several assignments differ. */
static void read_once(struct ptx_reading *r) {
  const struct ptx_kernel *kernel = r->kernel;
  for (size_t i = 0; i < r->joined.count; i++)
    if (!r->joined.at[i].value) r->joined.at[i].known.index = nvptx_new_register(r);
  if (!kernel->known_count) *vec_push(r->arena, &r->known) = (struct ptx_known){.reg = "%tid.x"};
  for (size_t i = 0; i < kernel->known_count; i++) *vec_push(r->arena, &r->known) = kernel->known[i];
  for (size_t i = 0; i < kernel->statement_count && !r->failed; i++) read_line(r, &kernel->statements[i]);
  check_labels(r);
  if (!r->failed) close_column(r);
}

bool ptx_read(struct arena *arena, const struct ptx_kernel *kernel, struct column *column, struct diags *diags) {
  struct ptx_reading r = {.again = true};
  size_t before = column->count;
  while (r.again) {
    struct ptx_reading next = {.arena = arena, .kernel = kernel, .column = column, .diags = diags};
    next.next = kernel->next;
    next.joined = r.joined;
    r = next;
    column->count = before;
    column->size = (struct code_size){.ptx = true};
    read_once(&r);
  }
  return !r.failed;
}
