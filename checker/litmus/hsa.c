/* SPDX-License-Identifier: MIT */
/* The HSA dialect: columns (columns.h) of instructions, as in the remote-scope-promotion
 * paper (ASPLOS'15), with the spellings of the HSAIL manual as aliases.
 *
 * An instruction's name is words joined by `_`: an operation, then in any order
 * what the operation has use for: a segment, `rm` for promotion, an order, a
 * scope, and types, which say nothing here.  So `atomic_LD_rm_acq_cmp` and
 * `atomic_ld_global_scacq_agent_u32` are read by the same tables below; but the
 * order and the scope of one instruction are of one spelling: a name of both is
 * nobody's, and perhaps half of it is a slip.
 */
#include <string.h>
#include <strings.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/litmus/columns.h"

/* --- words -------------------------------------------------------------------------- */

enum shape {
  SHAPE_LOAD,    /* ld dest, address */
  SHAPE_STORE,   /* st address, value; HSAIL: st value, [address] */
  SHAPE_ATOMIC,  /* atomic_OP ... */
  SHAPE_NORET,   /* atomicnoret_OP: without a destination */
  SHAPE_FENCE,   /* fence */
  SHAPE_BARRIER, /* barrier */
  SHAPE_MOVE,    /* mov dest, value */
  SHAPE_UNARY,   /* not dest, value */
  SHAPE_BINARY,  /* add dest, value, value */
  SHAPE_COMPARE, /* cmp_eq dest, value, value */
  SHAPE_GOTO,    /* br label */
  SHAPE_CBR      /* cbr value, label */
};

static const struct {
  const char *text;
  enum shape shape;
  enum expr_kind op;
} instructions[] = {
    {"ld", SHAPE_LOAD, 0},           {"st", SHAPE_STORE, 0},          {"atomic", SHAPE_ATOMIC, 0},
    {"atomicnoret", SHAPE_NORET, 0}, {"fence", SHAPE_FENCE, 0},       {"memfence", SHAPE_FENCE, 0},
    {"barrier", SHAPE_BARRIER, 0},   {"mov", SHAPE_MOVE, 0},          {"add", SHAPE_BINARY, EXPR_ADD},
    {"sub", SHAPE_BINARY, EXPR_SUB}, {"mul", SHAPE_BINARY, EXPR_MUL}, {"div", SHAPE_BINARY, EXPR_DIV},
    {"rem", SHAPE_BINARY, EXPR_MOD}, {"and", SHAPE_BINARY, EXPR_AND}, {"or", SHAPE_BINARY, EXPR_OR},
    {"xor", SHAPE_BINARY, EXPR_XOR}, {"shl", SHAPE_BINARY, EXPR_SHL}, {"shr", SHAPE_BINARY, EXPR_SHR},
    {"not", SHAPE_UNARY, EXPR_NOT},  {"neg", SHAPE_UNARY, EXPR_NEG},  {"cmp", SHAPE_COMPARE, 0},
    {"br", SHAPE_GOTO, 0},           {"cbr", SHAPE_CBR, 0},
};

static const struct {
  const char *text;
  enum instr_kind kind;
  enum rmw_op op;
} atomics[] = {
    {"LD", INSTR_LOAD, 0},       {"ST", INSTR_STORE, 0},
    {"CAS", INSTR_CAS, 0},       {"EXCH", INSTR_RMW, RMW_EXCHANGE},
    {"ADD", INSTR_RMW, RMW_ADD}, {"SUB", INSTR_RMW, RMW_SUB},
    {"AND", INSTR_RMW, RMW_AND}, {"OR", INSTR_RMW, RMW_OR},
    {"XOR", INSTR_RMW, RMW_XOR}, {"MIN", INSTR_RMW, RMW_MIN},
    {"MAX", INSTR_RMW, RMW_MAX},
};

/* Whose word it is; HSAIL's and the paper's may be the same, such as `wg`, and papers write `agent` too. */
enum spelling { OF_BOTH, OF_PAPER, OF_HSAIL };

struct word {
  const char *text;
  int value;
  enum spelling spelling;
};

static const struct word compares[] = {
    {"eq", EXPR_EQ, 0}, {"ne", EXPR_NE, 0}, {"lt", EXPR_LT, 0}, {"le", EXPR_LE, 0},
    {"gt", EXPR_GT, 0}, {"ge", EXPR_GE, 0}, {NULL, 0, 0},
};

/* `sc` is of use to models with an order of sequentially consistent operations. */
static const struct word orders[] = {
    {"rlx", ORDER_RLX, OF_BOTH},       {"sc", ORDER_SC, OF_BOTH},
    {"acq", ORDER_ACQ, OF_PAPER},      {"rel", ORDER_REL, OF_PAPER},
    {"ar", ORDER_ACQ_REL, OF_PAPER},   {"acqrel", ORDER_ACQ_REL, OF_PAPER},
    {"scacq", ORDER_ACQ, OF_HSAIL},    {"screl", ORDER_REL, OF_HSAIL},
    {"scar", ORDER_ACQ_REL, OF_HSAIL}, {NULL, 0, OF_BOTH},
};

static const struct word scopes[] = {
    {"wi", SCOPE_WI, OF_PAPER},
    {"wv", SCOPE_SG, OF_PAPER},
    {"wg", SCOPE_WG, OF_BOTH},
    {"cmp", SCOPE_DEV, OF_PAPER},
    {"component", SCOPE_DEV, OF_PAPER},
    {"sys", SCOPE_SYS, OF_PAPER},
    {"workitem", SCOPE_WI, OF_HSAIL},
    {"wave", SCOPE_SG, OF_HSAIL},
    {"wavefront", SCOPE_SG, OF_HSAIL},
    {"workgroup", SCOPE_WG, OF_HSAIL},
    {"agent", SCOPE_DEV, OF_BOTH},
    {"system", SCOPE_SYS, OF_HSAIL},
    {NULL, 0, OF_BOTH},
};

static const struct word segments[] = {
    {"global", REGION_GLOBAL, OF_HSAIL},
    {"group", REGION_LOCAL, OF_HSAIL},
    {"flat", REGION_GLOBAL | REGION_LOCAL, OF_HSAIL},
    {NULL, 0, OF_BOTH},
};

static const struct word types[] = {
    {"u8", 0, 0},  {"u16", 0, 0}, {"u32", 0, 0}, {"u64", 0, 0}, {"s8", 0, 0},  {"s16", 0, 0}, {"s32", 0, 0},
    {"s64", 0, 0}, {"b1", 0, 0},  {"b8", 0, 0},  {"b16", 0, 0}, {"b32", 0, 0}, {"b64", 0, 0}, {NULL, 0, 0},
};

static int find_word(const struct word *words, const char *text) {
  for (int i = 0; words[i].text; i++)
    if (!strcasecmp(text, words[i].text)) return i;
  return -1;
}

/* The word of this spelling for what `word` of the same table means. */
static const char *respell(const struct word *words, int word, enum spelling spelling) {
  for (int i = 0; words[i].text; i++)
    if (words[i].value == words[word].value && (words[i].spelling == spelling || words[i].spelling == OF_BOTH))
      return words[i].text;
  return words[word].text;
}

/* --- the name of an instruction ---------------------------------------------------------- */

struct mnemonic {
  const struct token *token;
  enum shape shape;
  enum expr_kind op; /* BINARY, UNARY, COMPARE */
  int atomic;        /* ATOMIC, NORET: index into `atomics`, or -1 */
  int order, scope;  /* indices into `orders` and `scopes`, or -1: not said */
  int segment;       /* index into `segments`, or -1 */
  bool remote;
};

/* Takes the next word of a name, with its place in the text. */
struct word_cursor {
  struct draft *draft;
  const char *rest;
  struct span span; /* of the word taken last */
  uint32_t at;
};

static const char *next_word(struct word_cursor *c) {
  if (!*c->rest) return NULL;
  size_t length = strcspn(c->rest, "_");
  const char *word = arena_strndup(c->draft->reader.arena, c->rest, length);
  c->span = (struct span){c->at, (uint32_t)length};
  c->at += (uint32_t)length;
  c->rest += length;
  if (*c->rest) {
    c->rest++;
    c->at++;
  }
  return word;
}

/* The words of OpenCL and C for what has another name here. */
static const char *translate(const char *word) {
  static const struct {
    const char *text, *meant;
  } words[] = {
      {"load", "LD"},     {"store", "ST"},    {"exchange", "EXCH"}, {"compare", "CAS"}, {"relaxed", "rlx"},
      {"acquire", "acq"}, {"release", "rel"}, {"seq", "sc"},        {"item", "wi"},     {"sub", "wv"},
      {"work", "wg"},     {"sg", "wv"},       {"device", "cmp"},    {"dev", "cmp"},     {"all", "sys"},
      {"svm", "sys"},     {"goto", "br"},     {"jump", "br"},       {"local", "group"},
  };
  for (size_t i = 0; i < ARRAY_COUNT(words); i++)
    if (!strcasecmp(word, words[i].text)) return words[i].meant;
  return NULL;
}

static bool fail_word(struct word_cursor *c, const char *what, const char *word, const char *const *words) {
  struct reader *reader = &c->draft->reader;
  const char *meant = translate(word);
  const char *hint = meant ? suggest_hint(reader->arena, meant) : reader_hint(reader, word, words);
  return reader_fail(reader, c->span, "unknown %s '%s'%s", what, word, hint);
}

static bool read_instruction(struct word_cursor *c, struct mnemonic *m) {
  enum { COUNT = ARRAY_COUNT(instructions) };
  const char *word = next_word(c);
  for (int i = 0; word && i < COUNT; i++) {
    if (strcasecmp(word, instructions[i].text) != 0) continue;
    m->shape = instructions[i].shape;
    m->op = instructions[i].op;
    return true;
  }
  return fail_word(c, "instruction", word ? word : "", ROW_TEXTS(c->draft->reader.arena, instructions, COUNT, text));
}

static bool read_atomic(struct word_cursor *c, struct mnemonic *m) {
  enum { COUNT = ARRAY_COUNT(atomics) };
  struct reader *reader = &c->draft->reader;
  const char *word = next_word(c);
  if (!word) return reader_fail(reader, m->token->span, "expected an atomic operation, such as atomic_LD_acq_wg");
  for (m->atomic = 0; m->atomic < COUNT; m->atomic++)
    if (!strcasecmp(word, atomics[m->atomic].text)) return true;
  return fail_word(c, "atomic operation", word, ROW_TEXTS(reader->arena, atomics, COUNT, text));
}

static bool read_compare(struct word_cursor *c, struct mnemonic *m) {
  const char *word = next_word(c);
  int i = word ? find_word(compares, word) : -1;
  if (i >= 0) m->op = (enum expr_kind)compares[i].value;
  if (i < 0)
    reader_fail(&c->draft->reader, m->token->span, "expected cmp_eq, cmp_ne, cmp_lt, cmp_le, cmp_gt or cmp_ge");
  return i >= 0;
}

static void read_modifier(struct word_cursor *c, struct mnemonic *m, const char *word) {
  struct reader *reader = &c->draft->reader;
  int order = find_word(orders, word), scope = find_word(scopes, word), segment = find_word(segments, word);
  if (!strcasecmp(word, "rm") || !strcasecmp(word, "remote")) {
    if (m->remote) reader_fail(reader, c->span, "'%s' is already remote", m->token->text);
    m->remote = true;
  } else if (order >= 0) {
    if (m->order >= 0) reader_fail(reader, c->span, "a second memory order, '%s'", word);
    m->order = order;
  } else if (scope >= 0) {
    if (m->scope >= 0) reader_fail(reader, c->span, "a second scope, '%s'", word);
    m->scope = scope;
  } else if (segment >= 0) {
    if (m->segment >= 0) reader_fail(reader, c->span, "a second segment, '%s'", word);
    m->segment = segment;
  } else if (find_word(types, word) < 0) {
    static const char *const words[] = {"rlx", "acq",   "rel",    "ar",        "sc",        "scacq",  "screl", "scar",
                                        "wi",  "wv",    "wg",     "cmp",       "agent",     "sys",    "wave",  "system",
                                        "rm",  "group", "global", "workgroup", "component", "remote", NULL};
    fail_word(c, m->shape == SHAPE_LOAD || m->shape == SHAPE_STORE ? "segment or type" : "order or scope", word, words);
  }
}

static bool takes_strength(const struct mnemonic *m) {
  return m->shape == SHAPE_ATOMIC || m->shape == SHAPE_NORET || m->shape == SHAPE_FENCE;
}

static void check_spelling(struct reader *reader, const struct mnemonic *m) {
  if (m->order < 0 || m->scope < 0) return;
  const struct word *order = &orders[m->order], *scope = &scopes[m->scope];
  if (order->spelling == OF_BOTH || scope->spelling == OF_BOTH || order->spelling == scope->spelling) return;
  const char *whose[] = {[OF_PAPER] = "the paper's", [OF_HSAIL] = "HSAIL's"};
  reader_fail(reader, m->token->span,
              "'%s' mixes spellings: '%s' is %s, '%s' is %s; write '%s' with '%s', or '%s' with '%s'", m->token->text,
              order->text, whose[order->spelling], scope->text, whose[scope->spelling], order->text,
              respell(scopes, m->scope, order->spelling), respell(orders, m->order, scope->spelling), scope->text);
}

static void check_strength(struct draft *draft, const struct mnemonic *m) {
  struct reader *reader = &draft->reader;
  const struct token *t = m->token;
  if (takes_strength(m)) {
    if (m->order < 0) reader_fail(reader, t->span, "'%s' lacks a memory order: rlx, acq, rel, ar or sc", t->text);
    if (m->scope < 0) reader_fail(reader, t->span, "'%s' lacks a scope: wi, wv, wg, cmp or sys", t->text);
    check_spelling(reader, m);
    return;
  }
  if (m->order >= 0) reader_fail(reader, t->span, "'%s' is not atomic and takes no memory order", t->text);
  if (m->remote) reader_fail(reader, t->span, "'%s' is not atomic and cannot be remote", t->text);
  if (m->scope >= 0 && m->shape != SHAPE_BARRIER) reader_fail(reader, t->span, "'%s' takes no scope", t->text);
}

/* `lda`, `atomicnoret` and the like are not atomic_ with a tail: the words of a
 * name are exact, but letters may be of either case. */
static struct mnemonic read_mnemonic(struct draft *draft) {
  struct reader *reader = &draft->reader;
  struct mnemonic m = {.token = reader->token, .atomic = -1, .order = -1, .scope = -1, .segment = -1};
  if (!reader_is_name(reader)) {
    reader_fail_expected(reader, "an instruction");
    return m;
  }
  struct word_cursor c = {draft, reader_take(reader)->text, {0, 0}, m.token->span.at};
  bool known = read_instruction(&c, &m);
  if (known && (m.shape == SHAPE_ATOMIC || m.shape == SHAPE_NORET)) known = read_atomic(&c, &m);
  if (known && m.shape == SHAPE_COMPARE) known = read_compare(&c, &m);
  for (const char *word; known && !reader->failed && (word = next_word(&c));) read_modifier(&c, &m, word);
  if (known) check_strength(draft, &m);
  return m;
}

/* --- operands -------------------------------------------------------------------------------- */

static const char *usage(const struct mnemonic *m) {
  static const char *const texts[] = {
      [SHAPE_LOAD] = "register, location",
      [SHAPE_STORE] = "location, value",
      [SHAPE_ATOMIC] = "register, location, value",
      [SHAPE_NORET] = "location, value",
      [SHAPE_FENCE] = "none",
      [SHAPE_BARRIER] = "none",
      [SHAPE_MOVE] = "register, value",
      [SHAPE_UNARY] = "register, value",
      [SHAPE_BINARY] = "register, value, value",
      [SHAPE_COMPARE] = "register, value, value",
      [SHAPE_GOTO] = "label",
      [SHAPE_CBR] = "register, label",
  };
  enum instr_kind kind = m->atomic >= 0 ? atomics[m->atomic].kind : INSTR_JUMP;
  if (kind == INSTR_LOAD) return texts[SHAPE_LOAD];
  if (kind == INSTR_STORE) return texts[SHAPE_STORE];
  if (kind == INSTR_CAS)
    return m->shape == SHAPE_NORET ? "location, expected value, new value"
                                   : "register, location, expected value, new value";
  return texts[m->shape];
}

static void expect_comma(struct column_cell *l, const struct mnemonic *m) {
  if (cell_at_end(l))
    reader_fail(l->reader, m->token->span, "'%s' takes more operands: %s", m->token->text, usage(m));
  else
    reader_expect(l->reader, ",", "between operands");
}

static const char *take_name(struct column_cell *l, const char *what) {
  if (!reader_skip(l->reader, "%")) reader_skip(l->reader, "&");
  return reader_take_name(l->reader, what);
}

static unsigned take_register(struct column_cell *l) {
  const struct token *first = l->reader->token;
  const char *name = take_name(l, "a register");
  if (!l->reader->failed && draft_find_location(l->draft, name))
    reader_fail(l->reader, first->span, "expected a register, but '%s' is a location", name);
  unsigned reg = draft_use_register(l->draft, l->thread, name, first->span);
  return reg;
}

static int take_destination(struct column_cell *l) {
  unsigned reg = take_register(l);
  l->thread->registers.at[reg].assigned = true;
  return (int)reg;
}

static const struct expr *take_value(struct column_cell *l) {
  const struct token *first = l->reader->token;
  if (first->kind == TOKEN_NUMBER || token_is(first, "-"))
    return draft_constant(l->draft, reader_take_number(l->reader, "a number"));
  if (first->kind != TOKEN_NAME && !token_is(first, "%")) reader_fail_expected(l->reader, "a register or a number");
  if (l->reader->failed) return draft_constant(l->draft, 0);
  return draft_register_value(l->draft, take_register(l));
}

static void fail_location(struct column_cell *l, const struct token *token, const char *name) {
  const char *hint = draft_location_hint(l->draft, name);
  reader_fail(l->reader, token->span, "'%s' is not a location%s", name,
              *hint ? hint : ": locations are named in the init section");
}

static struct address settle(struct column_cell *l, const struct draft_location *location, const struct expr *index,
                             struct span span) {
  struct address address = {.base = location->first, .size = location->size, .index = index};
  if (!index || index->kind != EXPR_CONST) return address;
  if (index->value < 0 || index->value >= location->size) {
    reader_fail(l->reader, span, "'%s' has cells 0 to %u", location->name, location->size - 1);
    return address;
  }
  return (struct address){.base = location->first + (unsigned)index->value, .size = 1};
}

/* The address spaces that the instruction is about. */
static unsigned regions_of(const struct mnemonic *m) {
  return m->segment < 0 ? REGION_GLOBAL | REGION_LOCAL : (unsigned)segments[m->segment].value;
}

/* `x`, `[x]`, `[&x]`, `a[1]`, `a[r0]`, `[a][r0]`, `[a + 1]` */
static struct address take_address(struct column_cell *l, const struct mnemonic *m) {
  struct reader *reader = l->reader;
  const struct token *first = reader->token;
  bool bracketed = reader_skip(reader, "[");
  const char *name = take_name(l, "a location");
  if (reader->failed) return (struct address){.base = 0, .size = 1};
  const struct draft_location *location = draft_find_location(l->draft, name);
  if (!location) {
    fail_location(l, reader->token - 1, name);
    return (struct address){.base = 0, .size = 1};
  }
  const struct expr *index = NULL;
  if (bracketed && reader_skip(reader, "+")) index = take_value(l);
  if (bracketed) reader_expect(reader, "]", "after the address");
  if (!index && reader_skip(reader, "[")) {
    index = take_value(l);
    reader_expect(reader, "]", "after the index");
  }
  unsigned region = location->regions == REGION_LOCAL ? REGION_LOCAL : REGION_GLOBAL;
  if (!(regions_of(m) & region))
    reader_fail(reader, m->token->span, "'%s' is in %s memory, '%s' accesses %s memory", name,
                region == REGION_LOCAL ? "group" : "global", m->token->text, segments[m->segment].text);
  return settle(l, location, index, reader_span_from(reader, first));
}

/* --- instructions --------------------------------------------------------------------------------- */

static struct instr *emit(struct column_cell *l, const struct mnemonic *m, enum instr_kind kind) {
  struct instr *instr = draft_emit(l->draft, l->thread, kind, reader_span_from(l->reader, m->token));
  instr->order = m->order < 0 ? ORDER_NA : (enum order)orders[m->order].value;
  instr->scope = m->scope < 0 ? SCOPE_NONE : (enum scope)scopes[m->scope].value;
  if (m->remote) instr->tags = tag_bit(TAG_REMOTE);
  return instr;
}

static void lower_load(struct column_cell *l, const struct mnemonic *m) {
  int reg = take_destination(l);
  expect_comma(l, m);
  struct address address = take_address(l, m);
  struct instr *instr = emit(l, m, INSTR_LOAD);
  instr->reg = reg;
  instr->address = address;
}

/* HSAIL's ordinary store has the value first and the address in brackets. */
static bool value_first(const struct column_cell *l) {
  const struct token *t = l->reader->token;
  return t->kind == TOKEN_NUMBER || token_is(t, "-") ||
         (t->kind == TOKEN_NAME && token_is(t + 1, ",") && !draft_find_location(l->draft, t->text));
}

static void lower_store(struct column_cell *l, const struct mnemonic *m) {
  bool swapped = m->shape == SHAPE_STORE && value_first(l);
  const struct expr *value = NULL;
  if (swapped) {
    value = take_value(l);
    expect_comma(l, m);
  }
  struct address address = take_address(l, m);
  if (!swapped) {
    expect_comma(l, m);
    value = take_value(l);
  }
  struct instr *instr = emit(l, m, INSTR_STORE);
  instr->address = address;
  instr->value = value;
}

/* What is left of an operation's order when a compare-and-swap only reads. */
static enum order failure_order(enum order order) {
  if (order == ORDER_ACQ_REL) return ORDER_ACQ;
  return order == ORDER_REL ? ORDER_RLX : order;
}

static void lower_rmw(struct column_cell *l, const struct mnemonic *m) {
  int reg = NO_REG;
  if (m->shape == SHAPE_ATOMIC) {
    reg = take_destination(l);
    expect_comma(l, m);
  }
  enum instr_kind kind = atomics[m->atomic].kind;
  struct address address = take_address(l, m);
  expect_comma(l, m);
  const struct expr *first = take_value(l), *second = NULL;
  if (kind == INSTR_CAS) {
    expect_comma(l, m);
    second = take_value(l);
  }
  struct instr *instr = emit(l, m, kind);
  instr->reg = reg;
  instr->address = address;
  instr->op = atomics[m->atomic].op;
  instr->value = kind == INSTR_CAS ? second : first;
  if (kind != INSTR_CAS) return;
  instr->expected = first;
  instr->returns_old = true;
  instr->failure = failure_order(instr->order);
}

static void lower_atomic(struct column_cell *l, const struct mnemonic *m) {
  enum instr_kind kind = atomics[m->atomic].kind;
  if (kind == INSTR_LOAD && m->shape == SHAPE_NORET)
    reader_fail(l->reader, m->token->span, "a load needs its destination: atomic_LD");
  else if (kind == INSTR_LOAD)
    lower_load(l, m);
  else if (kind == INSTR_STORE)
    lower_store(l, m);
  else
    lower_rmw(l, m);
}

static void lower_fence(struct column_cell *l, const struct mnemonic *m) {
  emit(l, m, INSTR_FENCE)->regions = regions_of(m);
}

static void lower_barrier(struct column_cell *l, const struct mnemonic *m) {
  struct instr *instr = emit(l, m, INSTR_BARRIER);
  instr->regions = regions_of(m);
  if (m->scope < 0) instr->scope = SCOPE_WG;
}

static void lower_arithmetic(struct column_cell *l, const struct mnemonic *m) {
  const struct expr *operands[2] = {NULL, NULL};
  int reg = take_destination(l);
  int count = m->shape == SHAPE_MOVE || m->shape == SHAPE_UNARY ? 1 : 2;
  for (int i = 0; i < count; i++) {
    expect_comma(l, m);
    operands[i] = take_value(l);
  }
  struct instr *instr = emit(l, m, INSTR_ASSIGN);
  instr->reg = reg;
  instr->value =
      m->shape == SHAPE_MOVE ? operands[0] : draft_operation(l->draft, m->op, operands[0], operands[1], NULL);
}

static void lower_branch(struct column_cell *l, const struct mnemonic *m) {
  const struct expr *condition = NULL;
  if (m->shape == SHAPE_CBR) {
    condition = take_value(l);
    expect_comma(l, m);
  }
  struct instr *instr = emit(l, m, condition ? INSTR_BRANCH : INSTR_JUMP);
  if (condition) instr->value = draft_operation(l->draft, EXPR_LNOT, condition, NULL, NULL);
  cell_take_target(l);
}

static void lower_instruction(struct column_cell *l) {
  static void (*const lowerings[])(struct column_cell *, const struct mnemonic *) = {
      [SHAPE_LOAD] = lower_load,          [SHAPE_STORE] = lower_store,      [SHAPE_ATOMIC] = lower_atomic,
      [SHAPE_NORET] = lower_atomic,       [SHAPE_FENCE] = lower_fence,      [SHAPE_BARRIER] = lower_barrier,
      [SHAPE_MOVE] = lower_arithmetic,    [SHAPE_UNARY] = lower_arithmetic, [SHAPE_BINARY] = lower_arithmetic,
      [SHAPE_COMPARE] = lower_arithmetic, [SHAPE_GOTO] = lower_branch,      [SHAPE_CBR] = lower_branch};
  struct mnemonic m = read_mnemonic(l->draft);
  if (!l->reader->failed) lowerings[m.shape](l, &m);
}

static void parse(struct draft *draft) {
  draft_parse_init(draft);
  columns_parse(draft);
}

static void lower(struct draft *draft) {
  columns_lower(draft, lower_instruction);
}

static const char *const words[] = {"HSA", "HSAIL", NULL};

static const char *const order_words[] = {"rlx", "acq", "rel", "ar", "scacq", "screl", "scar", "sc", NULL};
static const char *const level_words[] = {"wv", "wg", "cmp", "sys", "wave", "agent", "system", "workgroup", NULL};
static const char *const remote_words[] = {"", "rm_", NULL};
static const struct word_row rm[] = {{"rm", 0}, {NULL, 0}};
static const struct word_row *const known[] = {rm, NULL};
static const struct move_list move_lists[] = {
    {'O', order_words, NULL}, {'S', level_words, NULL}, {'R', remote_words, NULL}, {0}};
static const struct move_form move_forms[] = {
    {INSTR_LOAD, "atomic_LD_%R%O_%S %a"}, {INSTR_STORE, "atomic_ST_%R%O_%S %a"}, {INSTR_RMW, "atomic_%n_%R%O_%S %a"},
    {INSTR_CAS, "atomic_%n_%R%O_%S %a"},  {INSTR_FENCE, "fence_%O_%S"},          {0, NULL}};
static const char *const move_fences[] = {"fence_%O_%S", NULL};
static const char *const move_barriers[] = {"barrier", NULL};
static const char *const updates[RMW_OPS] = {[RMW_EXCHANGE] = "EXCH", [RMW_ADD] = "ADD", [RMW_SUB] = "SUB",
                                             [RMW_OR] = "OR",         [RMW_XOR] = "XOR", [RMW_AND] = "AND"};
static const struct move_words moves = {.lists = move_lists,
                                        .forms = move_forms,
                                        .fences = move_fences,
                                        .barriers = move_barriers,
                                        .known = known,
                                        .updates = updates,
                                        .separator = '_'};

const struct dialect hsa_dialect = {
    .words = words,
    .language = LANG_HSA,
    .name = "HSA",
    .model = "hrf-rsp",
    .lexis = LEX_COLUMNS,
    .scoped = true,
    .barriers = true,
    .fence_scopes = true,
    .remote = true,
    .group_memory = true,
    .moves = &moves,
    .parse = parse,
    .lower = lower,
};
