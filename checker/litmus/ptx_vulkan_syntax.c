/* SPDX-License-Identifier: MIT */
/* Opcodes, operands, local instructions and init sections of PTX and Vulkan
 * tests; see ptx_vulkan_syntax.h. */
#include "checker/litmus/ptx_vulkan_syntax.h"

#include <string.h>

#include "checker/base/text.h"
#include "checker/program/mbarrier.h"

static bool is_register(const char *name) {
  if (name[0] != 'r' || !name[1]) return false;
  return name[1 + strspn(name + 1, "0123456789")] == '\0';
}

/* --- the init section ---------------------------------------------------------------- */

const struct word_row assembly_types[] = {
    {"b8", 8},
    {"b16", 16},
    {"b32", 32},
    {"b64", 64},
    {"b128", 128},
    {"u8", 8},
    {"u16", 16},
    {"u32", 32},
    {"u64", 64},
    {"s8", 8 | TYPE_SIGNED},
    {"s16", 16 | TYPE_SIGNED},
    {"s32", 32 | TYPE_SIGNED},
    {"s64", 64 | TYPE_SIGNED},
    {"f16", 16 | TYPE_REAL},
    {"bf16", 16 | TYPE_REAL},
    {"f32", 32 | TYPE_REAL},
    {"f64", 64 | TYPE_REAL},
    {NULL, 0},
};

unsigned assembly_take_thread(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *token = reader->token;
  unsigned number = 0;
  if (token->kind == TOKEN_NUMBER && token->value < DRAFT_COUNT_LIMIT)
    number = (unsigned)token->value;
  else if (!draft_is_thread_name(token, &number))
    reader_fail_expected(reader, "a thread such as P0 or 0");
  reader_take(reader);
  return number;
}

/* At a thread and a colon. */
static void parse_register(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  unsigned number = assembly_take_thread(draft);
  reader_take(reader); /* the colon */
  const struct token *token = reader->token;
  const char *name = reader_take_name(reader, "a register");
  if (!reader->failed && !is_register(name))
    reader_fail(reader, token->span, "'%s' is not a register: registers are r0, r1, ...", name);
  reader_expect(reader, "=", "and the initial value");
  if (reader_is(reader, "&") || reader_is_name(reader))
    reader_fail(reader, reader->token->span, "expected a number: registers hold numbers, not addresses");
  int64_t value = reader_take_number(reader, "an initial value");
  draft_init_register(draft, number, name, value, reader_span_from(reader, first));
}

/* The name of a location that is to be declared. */
static struct draft_location *declare(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *token = reader->token;
  const char *name = reader_take_name(reader, "a location, a register such as P0:r0, or '}'");
  if (reader->failed) return NULL;
  if (is_register(name)) {
    reader_fail(reader, token->span, "'%s' is a register, which belongs to a thread: P0:%s", name, name);
    return NULL;
  }
  struct draft_location *location = draft_add_location(draft, name, token->span);
  if (location->initialised) reader_fail(reader, token->span, "'%s' is initialised twice", name);
  location->initialised = true;
  return location;
}

/* A location, or with `arrays` an array, that was declared before. */
static const struct draft_location *take_declared(struct draft *draft, const char *for_what, bool arrays) {
  struct reader *reader = &draft->reader;
  const struct token *token = reader->token;
  const char *name = reader_take_name(reader, "a location");
  if (reader->failed) return NULL;
  const struct draft_location *found = draft_find_location(draft, name);
  if (found && found->array && !arrays)
    reader_fail(reader, token->span, "'%s' is an array, which has one name only", name);
  if (found && (found->multimem || found->blocks))
    reader_fail(reader, token->span, "'%s' is a %s address, which stands for several locations", name,
                found->multimem ? "multimem" : "cluster");
  if (found && found->span.at != draft->locations.at[draft->locations.count - 1].span.at) return found;
  const char **words = ROW_TEXTS(reader->arena, draft->locations.at, draft->locations.count - 1, name);
  reader_fail(reader, token->span, "'%s' is not declared before %s%s", name, for_what,
              reader_hint(reader, name, words));
  return NULL;
}

static void parse_value(struct draft *draft, struct draft_location *location) {
  struct reader *reader = &draft->reader;
  bool address = reader_skip(reader, "&");
  if (!address && !reader_is_name(reader)) {
    location->init[0] = reader_take_number(reader, "an initial value");
    return;
  }
  const struct draft_location *from = take_declared(draft, "its value is copied", false);
  if (from) location->init[0] = from->init[0];
}

static bool parse_proxy(struct draft *draft, bool *generic) {
  struct reader *reader = &draft->reader;
  static const char *const words[] = {"generic", "constant", "texture", "surface", NULL};
  const struct token *token = reader->token;
  const char *name = reader_take_name(reader, "a proxy: generic, constant, texture or surface");
  int place = text_place(name, words);
  *generic = place == 0;
  if (place >= 0) return true;
  return reader_fail(reader, token->span, "unknown proxy '%s'%s", name, reader_hint(reader, name, words));
}

/* A generic alias is a generic address of its own; one for another proxy has
 * that of the name that it is an alias of. */
static void parse_alias(struct draft *draft, unsigned index, bool proxies) {
  struct reader *reader = &draft->reader;
  bool generic = true;
  if (proxies) {
    reader_expect(reader, "@", "and a proxy before 'aliases'");
    if (!parse_proxy(draft, &generic)) return;
  }
  reader_expect(reader, "aliases", proxies ? "after the proxy" : "or '=' after the location");
  const struct draft_location *of = take_declared(draft, "it is aliased", false);
  if (!of) return;
  struct draft_location *location = &draft->locations.at[index];
  location->physical = of->physical;
  location->init[0] = of->init[0];
  if (!generic) location->generic = (unsigned)(of - draft->locations.at);
}

/* One of the locations for which an address stands, which are alike and not those before. */
static const struct draft_location *take_place(struct draft *draft, const struct draft_location *before) {
  struct reader *reader = &draft->reader;
  const struct token *token = reader->token;
  const struct draft_location *of = take_declared(draft, "it is aliased", true);
  if (of && before && (of->array != before->array || of->size != before->size || of->width.bits != before->width.bits))
    reader_fail(reader, token->span, "'%s' and '%s' are not alike: an address stands for locations of one size",
                before->name, of->name);
  return reader->failed ? NULL : of;
}

/* A place is a further name of all cells of a location. */
static void make_place(struct draft *draft, unsigned index, const struct draft_location *of) {
  struct draft_location *place = &draft->locations.at[index];
  place->physical = of->physical;
  place->array = of->array;
  place->size = of->size;
  place->init = of->init;
  place->width = of->width;
  place->initialised = true;
}

/* `m @ multimem aliases x, y`: for each place an alias, the first of which has the address's own name. */
static void parse_multimem(struct draft *draft, unsigned first) {
  struct reader *reader = &draft->reader;
  struct span span = draft->locations.at[first].span;
  unsigned count = 0;
  do {
    const struct token *token = reader->token;
    const struct draft_location *of = take_place(draft, count ? &draft->locations.at[first] : NULL);
    if (!of) return;
    unsigned physical = of->physical;
    if (of->regions == REGION_LOCAL)
      reader_fail(reader, token->span, "'%s' is in shared memory: multimem addresses are of global memory", of->name);
    for (unsigned i = 0; i < count; i++)
      if (draft->locations.at[first + i].physical == physical)
        reader_fail(reader, token->span, "a multimem address must name distinct locations");
    if (count)
      draft_add_location(draft, arena_printf(reader->arena, "%s(%s)", draft->locations.at[first].name, of->name), span);
    make_place(draft, first + count++, &draft->locations.at[physical]);
  } while (reader_skip(reader, ","));
  draft->locations.at[first].multimem = count;
}

/* `c @ cluster aliases s, t`: the address that is that of s in the first block of a cluster and that of t in the
 * second, to which only copies to several blocks go. */
static void parse_cluster(struct draft *draft, unsigned index) {
  struct reader *reader = &draft->reader;
  unsigned *blocks = ARENA_ARRAY(reader->arena, unsigned, CLUSTER_LIMIT), count = 0;
  do {
    const struct token *token = reader->token;
    const struct draft_location *of = take_place(draft, count ? &draft->locations.at[blocks[0]] : NULL);
    if (!of) return;
    if (of->regions != REGION_LOCAL)
      reader_fail(reader, token->span, "'%s' is not in shared memory, as what a cluster's blocks have at one address",
                  of->name);
    else if (count == CLUSTER_LIMIT)
      reader_fail(reader, token->span, "a cluster has at most %d blocks", CLUSTER_LIMIT);
    else
      blocks[count++] = (unsigned)(of - draft->locations.at);
  } while (!reader->failed && reader_skip(reader, ","));
  if (reader->failed) return;
  make_place(draft, index, &draft->locations.at[blocks[0]]);
  struct draft_location *address = &draft->locations.at[index];
  address->generic = address->physical;
  address->regions = REGION_LOCAL;
  address->blocks = count;
  address->block = blocks;
}

/* Takes `@` and the word after it when it is this one. */
static bool skip_kind(struct reader *reader, const char *word) {
  bool is = reader_is(reader, "@") && token_is(reader->token + 1, word);
  if (is) reader->token += 2;
  return is;
}

/* False, having taken nothing, where it is another declaration. */
static bool parse_several(struct draft *draft, unsigned index) {
  struct reader *reader = &draft->reader;
  bool multimem = skip_kind(reader, "multimem");
  if (!multimem && !skip_kind(reader, "cluster")) return false;
  reader_expect(reader, "aliases",
                multimem ? "and the locations to which a multimem address points"
                         : "and the locations that the blocks have at an address");
  if (reader->failed) return true;
  if (multimem)
    parse_multimem(draft, index);
  else
    parse_cluster(draft, index);
  return true;
}

/* `@ shared [= value]`, `@ mbarrier [= arrivals]`; false, having taken nothing, where there is none. */
static bool parse_space(struct draft *draft, struct draft_location *location) {
  struct reader *reader = &draft->reader;
  bool mbarrier = skip_kind(reader, "mbarrier");
  if (!mbarrier && !skip_kind(reader, "shared")) return false;
  location->regions = REGION_LOCAL;
  location->mbarrier = mbarrier;
  location->plain = mbarrier && !reader_is(reader, "="); /* memory that is no object yet */
  if (!reader_skip(reader, "=")) return true;
  const struct token *number = reader->token;
  int64_t value = reader_take_number(reader, mbarrier ? "a number of arrivals" : "an initial value");
  if (mbarrier && (value < 1 || value > MBARRIER_MOST))
    reader_fail(reader, number->span, "an mbarrier expects 1 to %d arrivals", MBARRIER_MOST);
  location->init[0] = mbarrier ? mbarrier_init(value) : value;
  return true;
}

/* `t @ tensormap of g = 1`; false, having taken nothing, where it is none. */
static bool parse_tensormap(struct draft *draft, unsigned index) {
  struct reader *reader = &draft->reader;
  if (!skip_kind(reader, "tensormap")) return false;
  reader_expect(reader, "of", "and the array of tensors");
  const struct token *token = reader->token;
  const struct draft_location *of = reader->failed ? NULL : take_declared(draft, "it has a tensor map", true);
  if (!of) return true;
  struct draft_location *map = &draft->locations.at[index];
  if (!of->array || of->regions == REGION_LOCAL)
    reader_fail(reader, token->span, "'%s' is not an array of tensors in global memory", of->name);
  map->tensors = (unsigned)(of - draft->locations.at) + 1;
  if (!reader_skip(reader, "=")) return true;
  token = reader->token;
  map->init[0] = reader_take_number(reader, "the number of a tensor");
  if (!reader->failed && (map->init[0] < 0 || map->init[0] >= of->size))
    reader_fail(reader, token->span, "'%s' has elements 0 to %u", of->name, of->size - 1);
  return true;
}

/* The type before an array's name, as in assembly_types; 0: there is none. */
static unsigned take_element_type(struct reader *reader) {
  if (reader->token == reader->end || reader->token[1].kind != TOKEN_NAME) return 0;
  for (const struct word_row *row = assembly_types; row->text; row++)
    if (reader_skip(reader, row->text)) return (unsigned)row->value;
  return 0;
}

/* At an array's '['. */
static void parse_array(struct draft *draft, struct draft_location *location, unsigned type) {
  unsigned bits = type & 0xff;
  reader_take(&draft->reader);
  draft_parse_array(draft, location);
  location->width =
      (struct width){.bits = bits > 64 ? 0 : bits, .is_signed = type & TYPE_SIGNED}; /* no value has more than 64 */
  if (!reader_skip(&draft->reader, "@")) return;
  reader_expect(&draft->reader, "shared", "after '@'");
  location->regions = REGION_LOCAL;
}

static void parse_item(struct draft *draft) {
  struct reader *reader = &draft->reader;
  bool proxies = draft->dialect->proxies;
  if (token_is(reader->token + (reader->token != reader->end), ":")) {
    parse_register(draft);
    return;
  }
  unsigned type = proxies ? take_element_type(reader) : 0;
  struct draft_location *location = declare(draft);
  if (!location) return;
  unsigned index = (unsigned)(location - draft->locations.at);
  if (proxies && (type || reader_is(reader, "["))) {
    if (reader_is(reader, "["))
      parse_array(draft, location, type);
    else
      reader_fail_expected(reader, "'[' and the array's size: only arrays are declared with a type");
    return;
  }
  if (proxies && (parse_space(draft, location) || parse_several(draft, index) || parse_tensormap(draft, index))) return;
  if (reader_skip(reader, "="))
    parse_value(draft, location);
  else if (reader_is(reader, "@") || reader_is(reader, "aliases"))
    parse_alias(draft, index, proxies);
  else
    reader_fail_expected(reader, "'=' and a value, or an alias, after the location");
}

void assembly_parse_init(struct draft *draft) {
  draft_parse_init_items(draft, parse_item);
}

/* --- opcodes --------------------------------------------------------------------------- */

/* `shared::cta` is one word. */
static const struct token *join_word(struct reader *reader, const struct token *word) {
  while (!reader->failed && reader_is(reader, ":") && token_is(reader->token + 1, ":")) {
    reader->token += 2;
    struct token *joined = ARENA_NEW(reader->arena, struct token);
    const struct token *next = reader->token;
    bool number = next->kind == TOKEN_NUMBER; /* as in `cta_group::1` */
    const char *rest = number ? arena_strndup(reader->arena, reader->source->text + next->span.at, next->span.length)
                              : reader_take_name(reader, "a word of the instruction after '::'");
    if (number) reader_take(reader);
    *joined = *word;
    joined->text = arena_printf(reader->arena, "%s::%s", word->text, rest);
    joined->span.length = reader->token[-1].span.at + reader->token[-1].span.length - word->span.at;
    word = joined;
  }
  return word;
}

bool opcode_take(struct column_cell *cell, struct opcode *op) {
  struct reader *reader = cell->reader;
  *op = (struct opcode){0};
  do {
    if (op->count == OPCODE_WORDS)
      return reader_fail(reader, reader->token->span, "no instruction has more than %d words", OPCODE_WORDS);
    const struct token *word = reader->token;
    reader_take_name(reader, op->count ? "a word of the instruction after '.'" : "an instruction");
    op->words[op->count++] = join_word(reader, word);
  } while (reader_skip(reader, "."));
  return !reader->failed;
}

static struct span opcode_span(const struct opcode *op) {
  struct span first = op->words[0]->span, last = op->words[op->count - 1]->span;
  return (struct span){first.at, last.at + last.length - first.at};
}

static const char *opcode_text(const struct column_cell *cell, const struct opcode *op) {
  const char *text = op->words[0]->text;
  for (unsigned i = 1; i < op->count; i++) text = arena_printf(cell->reader->arena, "%s.%s", text, op->words[i]->text);
  return text;
}

int opcode_skip(struct opcode *op, const struct word_row *rows) {
  for (; op->next < op->count && rows->text; rows++)
    if (token_is(op->words[op->next], rows->text)) {
      op->next++;
      return rows->value;
    }
  return -1;
}

bool opcode_is(const struct opcode *op, const char *word) {
  return op->next < op->count && token_is(op->words[op->next], word);
}

bool opcode_skip_word(struct opcode *op, const char *word) {
  bool is = opcode_is(op, word);
  op->next += is;
  return is;
}

/* `a, b or c` */
static const char *list_words(const struct column_cell *cell, const struct word_row *rows) {
  VEC(const char *) words = {0};
  for (; rows->text; rows++) *vec_push(cell->reader->arena, &words) = rows->text;
  return text_list(cell->reader->arena, words.at, words.count, " or ");
}

/* The word of some tables, which end in NULL, that is nearest. */
static const char *word_hint(struct column_cell *cell, const char *word, const struct word_row *const *tables) {
  VEC(const char *) words = {0};
  for (; *tables; tables++)
    for (const struct word_row *row = *tables; row->text; row++) *vec_push(cell->reader->arena, &words) = row->text;
  *vec_push(cell->reader->arena, &words) = NULL;
  return reader_hint(cell->reader, word, words.at);
}

int opcode_expect(struct column_cell *cell, struct opcode *op, const struct word_row *rows, const char *what) {
  int value = opcode_skip(op, rows);
  if (value >= 0) return value;
  if (op->next == op->count) {
    reader_fail(cell->reader, opcode_span(op), "'%s' lacks %s: %s", opcode_text(cell, op), what,
                list_words(cell, rows));
    return -1;
  }
  const struct token *word = op->words[op->next];
  const char *hint = word_hint(cell, word->text, (const struct word_row *const[]){rows, NULL});
  reader_fail(cell->reader, word->span, "'%s' is not %s that '%s' can have%s", word->text, what, op->words[0]->text,
              *hint ? hint : arena_printf(cell->reader->arena, ": %s", list_words(cell, rows)));
  return -1;
}

bool opcode_expect_word(struct column_cell *cell, struct opcode *op, const char *word, const char *what) {
  return opcode_expect(cell, op, (const struct word_row[]){{word, 0}, {NULL, 0}}, what) >= 0;
}

bool opcode_require(struct column_cell *cell, struct opcode *op, const char *word) {
  if (opcode_skip_word(op, word)) return true;
  if (op->next == op->count)
    return reader_fail(cell->reader, opcode_span(op), "'%s' lacks '.%s'", opcode_text(cell, op), word);
  const struct token *found = op->words[op->next];
  return reader_fail(cell->reader, found->span, "expected '.%s', found '.%s'", word, found->text);
}

void opcode_end(struct column_cell *cell, const struct opcode *op) {
  if (op->next == op->count) return;
  const struct token *word = op->words[op->next];
  reader_fail(cell->reader, word->span, "'%s' does not take '.%s'%s", op->words[0]->text, word->text,
              op->next == 1 ? "" : " here");
}

/* --- operands ---------------------------------------------------------------------------- */

void assembly_comma(struct column_cell *cell, const struct opcode *op, const char *usage) {
  if (cell_at_end(cell))
    reader_fail(cell->reader, opcode_span(op), "'%s' takes more operands: %s", opcode_text(cell, op), usage);
  else
    reader_expect(cell->reader, ",", "between operands");
}

static unsigned take_register(struct column_cell *cell) {
  const struct token *token = cell->reader->token;
  const char *name = reader_take_name(cell->reader, "a register such as r0");
  if (!cell->reader->failed && !is_register(name))
    reader_fail(cell->reader, token->span, "expected a register such as r0, found '%s'", name);
  return draft_use_register(cell->draft, cell->thread, name, token->span);
}

int assembly_destination(struct column_cell *cell) {
  unsigned reg = take_register(cell);
  cell->thread->registers.at[reg].assigned = true;
  return (int)reg;
}

const struct expr *assembly_value(struct column_cell *cell) {
  struct reader *reader = cell->reader;
  if (reader->token->kind == TOKEN_NUMBER || reader_is(reader, "-"))
    return draft_constant(cell->draft, reader_take_number(reader, "a number"));
  if (!reader_is_name(reader)) reader_fail_expected(reader, "a register or a number");
  if (reader->failed) return draft_constant(cell->draft, 0);
  return draft_register_value(cell->draft, take_register(cell));
}

const struct draft_location *assembly_location(struct column_cell *cell) {
  struct reader *reader = cell->reader;
  const struct token *token = reader->token;
  const char *name = reader_take_name(reader, "a location");
  if (!reader->failed && is_register(name))
    reader_fail(reader, token->span, "expected a location, but '%s' is a register", name);
  if (reader->failed) return NULL;
  return draft_use_location(cell->draft, name, token->span);
}

void assembly_access(const struct column_cell *cell, struct instr *instr, const struct draft_location *location) {
  if (!location) return;
  instr->address = (struct address){.base = cell->draft->locations.at[location->physical].first, .size = 1};
  if (instr->address.base != location->first) instr->alias = location->first + 1;
}

/* --- instructions -------------------------------------------------------------------------- */

const struct word_row assembly_arithmetic[] = {
    {"add", EXPR_ADD}, {"sub", EXPR_SUB}, {"mul", EXPR_MUL}, {"div", EXPR_DIV}, {"rem", EXPR_MOD}, {"and", EXPR_AND},
    {"or", EXPR_OR},   {"xor", EXPR_XOR}, {"shl", EXPR_SHL}, {"shr", EXPR_SHR}, {NULL, 0},
};

/* `set.eq r0, r1, 0` gives 1 or 0, `selp r0, a, b, r1` a where r1 is not 0, else b. */
static const struct word_row compound[] = {{"set", 0}, {"selp", 1}, {NULL, 0}};
const struct word_row assembly_comparisons[] = {{"eq", EXPR_EQ}, {"ne", EXPR_NE}, {"lt", EXPR_LT}, {"le", EXPR_LE},
                                                {"gt", EXPR_GT}, {"ge", EXPR_GE}, {NULL, 0}};

/* The jump is taken where the opposite does not hold. */
static const struct word_row jumps[] = {
    {"beq", EXPR_NE}, {"bne", EXPR_EQ}, {"blt", EXPR_GE}, {"ble", EXPR_GT},
    {"bgt", EXPR_LE}, {"bge", EXPR_LT}, {NULL, 0},
};

static const struct word_row go[] = {{"goto", 0}, {NULL, 0}};

const struct word_row assembly_updates[] = {
    {"add", RMW_ADD}, {"sub", RMW_SUB}, {"mul", RMW_MUL}, {"div", RMW_DIV}, {"and", RMW_AND},
    {"or", RMW_OR},   {"xor", RMW_XOR}, {"min", RMW_MIN}, {"max", RMW_MAX}, {NULL, 0},
};

void assembly_unknown(struct column_cell *cell, const struct opcode *op, const struct word_row *rows) {
  const struct token *word = op->words[0];
  const struct word_row *const tables[] = {rows, assembly_arithmetic, compound, jumps, go, NULL};
  reader_fail(cell->reader, word->span, "unknown instruction '%s'%s", word->text, word_hint(cell, word->text, tables));
}

struct instr *assembly_emit(struct column_cell *cell, const struct opcode *op, enum instr_kind kind) {
  return draft_emit(cell->draft, cell->thread, kind, reader_span_from(cell->reader, op->words[0]));
}

struct instr *assembly_assign(struct column_cell *cell, const struct opcode *op, int reg, const struct expr *value) {
  struct instr *instr = assembly_emit(cell, op, INSTR_ASSIGN);
  instr->reg = reg;
  instr->value = value;
  return instr;
}

struct instr *assembly_operation(struct column_cell *cell, const struct opcode *op, const struct expr *operands[2]) {
  int reg = assembly_destination(cell);
  for (unsigned i = 0; i < 2; i++) {
    assembly_comma(cell, op, "register, value, value");
    operands[i] = assembly_value(cell);
  }
  return assembly_assign(cell, op, reg, NULL);
}

static void lower_arithmetic(struct column_cell *cell, const struct opcode *op, enum expr_kind kind) {
  const struct expr *operands[2];
  struct instr *instr = assembly_operation(cell, op, operands);
  instr->value = draft_operation(cell->draft, kind, operands[0], operands[1], NULL);
}

static void lower_selection(struct column_cell *cell, const struct opcode *op) {
  const struct expr *values[3];
  int reg = assembly_destination(cell);
  for (unsigned i = 0; i < 3; i++) {
    assembly_comma(cell, op, "register, value, value, condition");
    values[i] = assembly_value(cell);
  }
  assembly_assign(cell, op, reg, draft_operation(cell->draft, EXPR_COND, values[2], values[0], values[1]));
}

/* `set` and `selp`; false, having taken nothing, when the opcode is another. */
static bool lower_compound(struct column_cell *cell, struct opcode *op) {
  int which = opcode_skip(op, compound);
  if (which < 0) return false;
  int kind = which ? 0 : opcode_expect(cell, op, assembly_comparisons, "a comparison");
  if (kind < 0) return true;
  opcode_end(cell, op);
  if (which)
    lower_selection(cell, op);
  else
    lower_arithmetic(cell, op, (enum expr_kind)kind);
  return true;
}

static void lower_branch(struct column_cell *cell, const struct opcode *op, enum expr_kind opposite) {
  static const char usage[] = "value, value, label";
  const struct expr *a = assembly_value(cell);
  assembly_comma(cell, op, usage);
  const struct expr *b = assembly_value(cell);
  assembly_comma(cell, op, usage);
  struct instr *instr = assembly_emit(cell, op, INSTR_BRANCH);
  instr->value = draft_operation(cell->draft, opposite, a, b, NULL);
  cell_take_target(cell);
}

bool assembly_local(struct column_cell *cell, struct opcode *op) {
  if (lower_compound(cell, op)) return true;
  int kind = opcode_skip(op, assembly_arithmetic);
  int opposite = kind < 0 ? opcode_skip(op, jumps) : -1;
  bool jump = kind < 0 && opposite < 0 && opcode_skip(op, go) >= 0;
  if (!op->next) return false;
  opcode_end(cell, op);
  if (kind >= 0)
    lower_arithmetic(cell, op, (enum expr_kind)kind);
  else if (opposite >= 0)
    lower_branch(cell, op, (enum expr_kind)opposite);
  else if (jump) {
    assembly_emit(cell, op, INSTR_JUMP);
    cell_take_target(cell);
  }
  return true;
}

const char *assembly_barrier_name(struct column_cell *cell) {
  const struct token *token = cell->reader->token;
  if (token->kind != TOKEN_NUMBER && token->kind != TOKEN_NAME)
    reader_fail_expected(cell->reader, "the name of a barrier, such as 0");
  reader_take(cell->reader);
  return arena_strndup(cell->reader->arena, cell->reader->source->text + token->span.at, token->span.length);
}

struct instr *assembly_barrier(struct column_cell *cell, const struct opcode *op) {
  const char *name = assembly_barrier_name(cell);
  const struct expr *resource = NULL, *quorum = NULL;
  if (reader_skip(cell->reader, ",")) {
    resource = assembly_value(cell);
    if (reader_skip(cell->reader, ",")) quorum = assembly_value(cell);
  }
  struct instr *instr = assembly_emit(cell, op, INSTR_MEET);
  instr->barrier_label = draft_barrier_label(cell->draft, name);
  instr->resource = resource;
  instr->quorum = quorum;
  return instr;
}
