/* SPDX-License-Identifier: MIT */
/* Khronos' own tests of the Vulkan memory model, as they are: the .test files of
 * KhronosGroup/Vulkan-MemoryModel, whose format its alloy/litmus.cpp describes.
 *
 *   file        = { line }                      what follows `//` is a comment
 *   line        = "NEWQF" | "NEWWG" | "NEWSG" | "NEWTHREAD" [number]
 *               | instruction | "SSW" number number | "SLOC" name name
 *               | ("SATISFIABLE" | "NOSOLUTION") ["NOCHAINS"] predicate
 *   instruction = word { "." word } [name ["=" number [number]]]        an access
 *               | word { "." word } [number]                            a barrier
 *
 * Words stand in any order.  A load's number is what it reads, a store's what it
 * writes, the two of a read-modify-write both in turn.  The values that are read
 * become the test's filter; what is asserted of executions, its assertions
 * (khronos_assertion.h).  What litmus.cpp warns of, since no execution then exists, is an
 * error here.
 */
#include <ctype.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/tags.h"
#include "checker/litmus/khronos_assertion.h"
#include "checker/litmus/ptx_vulkan_syntax.h"
#include "checker/litmus/vulkan.h"

/* Words of an instruction. */
enum word {
  ST,
  LD,
  RMW_,
  MEMBAR,
  CBAR,
  AVDEVICE,
  VISDEVICE,
  SCOPESG,
  SCOPEWG,
  SCOPEQF,
  SCOPEDEV,
  SC0,
  SC1,
  SC2,
  SC3,
  ATOM,
  ACQ,
  REL,
  NONPRIV,
  AV,
  VIS,
  SEMAV,
  SEMVIS,
  SEMSC0,
  SEMSC1,
  SEMSC2,
  SEMSC3,
  WORDS
};

static const char *const words[] = {"st",      "ld",      "rmw",     "membar",   "cbar",    "avdevice", "visdevice",
                                    "scopesg", "scopewg", "scopeqf", "scopedev", "sc0",     "sc1",      "sc2",
                                    "sc3",     "atom",    "acq",     "rel",      "nonpriv", "av",       "vis",
                                    "semav",   "semvis",  "semsc0",  "semsc1",   "semsc2",  "semsc3",   NULL};

_Static_assert(ARRAY_COUNT(words) == WORDS + 1, "each word has a text");

#define BIT(word) (1u << (word))
#define ACCESSES (BIT(ST) | BIT(LD) | BIT(RMW_))
#define KINDS (ACCESSES | BIT(MEMBAR) | BIT(CBAR) | BIT(AVDEVICE) | BIT(VISDEVICE))
#define SCOPES (BIT(SCOPESG) | BIT(SCOPEWG) | BIT(SCOPEQF) | BIT(SCOPEDEV))
#define CLASSES (BIT(SC0) | BIT(SC1) | BIT(SC2) | BIT(SC3))
#define SEMANTICS (BIT(SEMSC0) | BIT(SEMSC1) | BIT(SEMSC2) | BIT(SEMSC3))
#define ORDERS (BIT(ACQ) | BIT(REL))

struct instruction {
  struct span span;
  unsigned words; /* set of enum word */
  size_t thread;
  const char *name; /* location of an access, instance of a barrier; NULL: none is given */
  unsigned numbers; /* how many values */
  int64_t values[2];
};

/* `SSW 0 1`, by the numbers that threads have in the text. */
struct pair {
  struct span span;
  int64_t threads[2];
};

/* `SLOC x y`, wherever these are accessed. */
struct references {
  struct span names[2];
};

struct khronos {
  struct placement place; /* of the next thread */
  int64_t next_number;
  VEC(int64_t) numbers; /* of each thread, in the text */
  VEC(struct instruction) instructions;
  VEC(struct pair) pairs;
  VEC(struct references) references;
  VEC(const struct syntax_prop *) values; /* that loads read */
};

/* --- lines -------------------------------------------------------------------------------------- */

/* A line that is being read. */
struct line {
  struct draft *draft;
  struct khronos *own;
  struct cursor c;
};

/* The next word, up to a blank or one of `stops`. */
static struct span take(struct line *line, const char *stops) {
  cursor_skip_blanks(&line->c);
  return cursor_take_word(&line->c, stops);
}

static const char *text_of(const struct line *line, struct span span) {
  return arena_strndup(line->draft->reader.arena, line->c.text + span.at, span.length);
}

static bool at_end(struct line *line) {
  cursor_skip_blanks(&line->c);
  return line->c.at == line->c.end;
}

static void expect_end(struct line *line) {
  if (at_end(line)) return;
  struct span span = take(line, "");
  reader_fail(&line->draft->reader, span, "expected the end of the line, found '%s'", text_of(line, span));
}

static int64_t take_number(struct line *line) {
  enum { MOST_DIGITS = 9 };
  struct span span = take(line, "");
  int64_t value = 0;
  bool number = span.length > 0 && span.length <= MOST_DIGITS;
  for (uint32_t i = 0; i < span.length && number; i++) {
    char c = line->c.text[span.at + i];
    number = isdigit((unsigned char)c);
    value = 10 * value + (c - '0');
  }
  if (!number)
    reader_fail(
        &line->draft->reader, span, "expected a number of at most %d digits, found %s", MOST_DIGITS,
        span.length ? arena_printf(line->draft->reader.arena, "'%s'", text_of(line, span)) : "the end of the line");
  return value;
}

/* --- threads ------------------------------------------------------------------------------------- */

static void add_thread(struct line *line, struct span span) {
  struct draft *draft = line->draft;
  struct khronos *own = line->own;
  for (size_t i = 0; i < own->numbers.count; i++)
    if (own->numbers.at[i] == own->next_number)
      reader_fail(&draft->reader, span, "thread %d exists already", (int)own->next_number);
  *vec_push(draft->reader.arena, &own->numbers) = own->next_number++;
  const char *name = arena_printf(draft->reader.arena, "P%zu", (size_t)draft->threads.count);
  struct draft_thread *thread = draft_add_thread(draft, &(struct token){TOKEN_NAME, span, name, 0});
  thread->place = own->place;
  draft->placed = true;
}

/* A wider instance begins with new ones of all that it holds. */
static bool parse_new(struct line *line, struct span word) {
  struct placement *place = &line->own->place;
  bool qf = cursor_is(&line->c, word, "NEWQF"), wg = cursor_is(&line->c, word, "NEWWG"),
       sg = cursor_is(&line->c, word, "NEWSG");
  bool thread = cursor_is(&line->c, word, "NEWTHREAD");
  place->given = true;
  place->qf += qf;
  place->wg += qf || wg;
  place->sg += qf || wg || sg;
  if (thread && !at_end(line)) line->own->next_number = take_number(line);
  if (thread) add_thread(line, word);
  if (qf || wg || sg || thread) expect_end(line);
  return qf || wg || sg || thread;
}

/* --- instructions --------------------------------------------------------------------------------- */

static unsigned take_words(struct line *line, struct span opcode) {
  struct reader *reader = &line->draft->reader;
  struct line inner = *line;
  unsigned set = 0;
  inner.c.at = opcode.at;
  inner.c.end = opcode.at + opcode.length;
  do {
    struct span span = take(&inner, ".");
    unsigned word = 0;
    if (!span.length) {
      reader_fail(reader, span, "expected a word of the instruction %s '.'",
                  inner.c.at == opcode.at ? "before" : "after");
      return set;
    }
    while (word < WORDS && !cursor_is(&line->c, span, words[word])) word++;
    if (word == WORDS) {
      const char *text = text_of(line, span);
      reader_fail(reader, span, "unknown word '%s'%s", text, reader_hint(reader, text, words));
      return set;
    }
    set |= BIT(word);
  } while (inner.c.at++ < inner.c.end);
  return set;
}

/* `x = 1 2`, `x=1`, `x` */
static void take_operands(struct line *line, struct instruction *instruction) {
  instruction->name = text_of(line, take(line, "="));
  if (at_end(line)) return;
  if (line->c.text[line->c.at] != '=') {
    expect_end(line);
    return;
  }
  line->c.at++;
  do instruction->values[instruction->numbers++] = take_number(line);
  while (instruction->numbers < 2 && !at_end(line));
  expect_end(line);
}

static void parse_instruction(struct line *line, struct span opcode) {
  struct draft *draft = line->draft;
  struct instruction instruction = {.words = take_words(line, opcode)};
  if (draft->reader.failed) return;
  if (!draft->threads.count) add_thread(line, opcode); /* the first needs no NEWTHREAD */
  instruction.thread = draft->threads.count - 1;
  if (!at_end(line)) take_operands(line, &instruction);
  instruction.span = (struct span){opcode.at, line->c.at - opcode.at};
  if (instruction.words & ACCESSES && instruction.name)
    draft_add_location(draft, instruction.name, instruction.span)->initialised = true;
  *vec_push(draft->reader.arena, &line->own->instructions) = instruction;
}

/* --- relations and assertions ------------------------------------------------------------------------ */

static void parse_ssw(struct line *line, struct span word) {
  struct pair pair;
  for (int i = 0; i < 2; i++) pair.threads[i] = take_number(line);
  pair.span = (struct span){word.at, line->c.at - word.at};
  expect_end(line);
  *vec_push(line->draft->reader.arena, &line->own->pairs) = pair;
}

static void parse_sloc(struct line *line) {
  struct references references;
  for (int i = 0; i < 2; i++) references.names[i] = take(line, "");
  expect_end(line);
  *vec_push(line->draft->reader.arena, &line->own->references) = references;
}

/* Two names of one location: they stay two references. */
static void join_references(struct draft *draft, const struct references *references) {
  unsigned physical[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    struct span span = references->names[i];
    const char *name = arena_strndup(draft->reader.arena, draft->reader.source->text + span.at, span.length);
    const struct draft_location *location = draft_find_location(draft, name);
    if (!location) {
      reader_fail(&draft->reader, span, "SLOC names '%s', which no instruction accesses", name);
      return;
    }
    physical[i] = location->physical;
  }
  for (size_t i = 0; i < draft->locations.count; i++)
    if (draft->locations.at[i].physical == physical[1]) draft->locations.at[i].physical = physical[0];
}

/* Where a comment begins that a mark of two characters opens, or else the end. */
static uint32_t find_comment(const struct cursor *c, const char *mark) {
  uint32_t at = c->at;
  while (at < c->end && (at + 1 == c->end || memcmp(c->text + at, mark, 2) != 0)) at++;
  return at;
}

static bool parse_assertion(struct line *line, struct span word) {
  bool satisfiable = cursor_is(&line->c, word, "SATISFIABLE");
  if (!satisfiable && !cursor_is(&line->c, word, "NOSOLUTION")) return false;
  struct arena *arena = line->draft->reader.arena;
  line->c.end = find_comment(&line->c, "--"); /* Alloy's other one */
  struct span text = cursor_trim(&line->c, line->c.end);
  struct assertion assertion = assertion_parse(arena, satisfiable, text_of(line, text));
  if (assertion.ended)
    reader_fail(&line->draft->reader, (struct span){text.at + text.length, 0}, "%s", assertion.unsupported);
  *vec_push(arena, &line->draft->assertions) = assertion;
  return true;
}

static void parse_line(struct line *line) {
  struct span word = take(line, "");
  if (!word.length) return;
  if (parse_new(line, word) || parse_assertion(line, word)) return;
  if (cursor_is(&line->c, word, "SSW"))
    parse_ssw(line, word);
  else if (cursor_is(&line->c, word, "SLOC"))
    parse_sloc(line);
  else
    parse_instruction(line, word);
}

static void parse(struct draft *draft) {
  const struct source *source = draft->reader.source;
  struct khronos *own = ARENA_NEW(draft->reader.arena, struct khronos);
  draft->own = own;
  struct cursor rest = {source->text, 0, (uint32_t)source->size};
  while (rest.at < rest.end && !draft->reader.failed) {
    uint32_t end = cursor_end_of(&rest, '\n');
    struct line line = {draft, own, {source->text, rest.at, end}};
    line.c.end = find_comment(&line.c, "//");
    parse_line(&line);
    rest.at = end + 1;
  }
  if (!draft->threads.count)
    reader_fail(&draft->reader, (struct span){rest.end, 0},
                "expected NEWTHREAD or an instruction, found the end of the file");
  for (size_t i = 0; i < own->references.count && !draft->reader.failed; i++)
    join_references(draft, &own->references.at[i]);
}

/* --- lowering ------------------------------------------------------------------------------------------ */

/* A rule that an instruction's words keep: with any of `with`, some of `needs`. */
struct rule {
  unsigned with, needs;
  const char *what;
};

static const struct rule rules[] = {
    {ACCESSES, CLASSES, "a storage class: sc0, sc1, ..."},
    {BIT(RMW_) | BIT(ATOM) | BIT(MEMBAR) | BIT(CBAR) | BIT(AV) | BIT(VIS), SCOPES,
     "a scope: scopesg, scopewg, scopeqf or scopedev"},
    {BIT(MEMBAR), ORDERS, "acq or rel"},
    {ORDERS, SEMANTICS, "the storage classes that it orders: semsc0, semsc1, ..."},
    {SEMANTICS, ORDERS, "acq or rel with its semantics"},
    {BIT(SEMAV), BIT(REL), "rel with semav"},
    {BIT(SEMVIS), BIT(ACQ), "acq with semvis"},
};

static bool reads(unsigned set) {
  return set & (BIT(LD) | BIT(RMW_));
}

static bool writes(unsigned set) {
  return set & (BIT(ST) | BIT(RMW_));
}

/* More than one of a group? */
static bool several(unsigned set, unsigned group) {
  return set & group & ((set & group) - 1);
}

static const char *misfit(unsigned set) {
  bool atomic = set & (BIT(ATOM) | BIT(RMW_)), fence = set & (BIT(MEMBAR) | BIT(CBAR));
  if (!(set & KINDS)) return "st, ld, rmw, membar, cbar, avdevice or visdevice";
  if (several(set, (KINDS & ~ACCESSES)) || (set & ACCESSES && set & KINDS & ~ACCESSES)) return "one kind of operation";
  if (several(set, SCOPES)) return "one scope";
  if (several(set, CLASSES)) return "one storage class";
  if (set & (BIT(AVDEVICE) | BIT(VISDEVICE)) && set & ~KINDS) return "no other word";
  if (set & BIT(ACQ) && !fence && !(atomic && reads(set))) return "acq on fences and atomic loads alone";
  if (set & BIT(REL) && !fence && !(atomic && writes(set))) return "rel on fences and atomic stores alone";
  if (set & BIT(AV) && !writes(set)) return "av on stores alone";
  if (set & BIT(VIS) && !reads(set)) return "vis on loads alone";
  if (set & (BIT(NONPRIV) | BIT(ATOM) | CLASSES) && !(set & ACCESSES)) return "the words of accesses on these alone";
  for (size_t i = 0; i < ARRAY_COUNT(rules); i++)
    if (set & rules[i].with && !(set & rules[i].needs)) return rules[i].what;
  return NULL;
}

static bool is_rmw(unsigned set) {
  return reads(set) && writes(set);
}

static void check_instruction(struct draft *draft, const struct instruction *i) {
  const char *lacks = misfit(i->words);
  if (!lacks && i->words & ACCESSES && !i->name) lacks = "a location";
  if (!lacks && i->words & BIT(CBAR) && (!i->name || i->numbers)) lacks = "the number of its instance, and no more";
  if (!lacks && !(i->words & (ACCESSES | BIT(CBAR))) && i->name) lacks = "no operand";
  if (!lacks && i->numbers == 2 && !is_rmw(i->words)) lacks = "one value, or to be a read-modify-write";
  if (lacks) reader_fail(&draft->reader, i->span, "this instruction must have %s", lacks);
}

static struct vulkan_words words_of(unsigned set) {
  static const enum tag classes[] = {TAG_SC0, TAG_SC1, TAG_SC2, TAG_SC3};
  static const enum tag semantics[] = {TAG_SEMSC0, TAG_SEMSC1, TAG_SEMSC2, TAG_SEMSC3};
  struct vulkan_words result = {.available = set & BIT(SEMAV), .visible = set & BIT(SEMVIS)};
  bool atomic = set & BIT(ATOM) || is_rmw(set);
  result.order = (set & ORDERS) == ORDERS ? ORDER_ACQ_REL
                 : set & BIT(ACQ)         ? ORDER_ACQ
                 : set & BIT(REL)         ? ORDER_REL
                 : atomic                 ? ORDER_RLX
                                          : ORDER_NA;
  result.scope = set & BIT(SCOPEDEV)  ? SCOPE_DEV
                 : set & BIT(SCOPEQF) ? SCOPE_QF
                 : set & BIT(SCOPEWG) ? SCOPE_WG
                 : set & BIT(SCOPESG) ? SCOPE_SG
                                      : SCOPE_NONE;
  for (unsigned i = 0; i < 4; i++) {
    if (set & BIT(SC0 + i)) result.tags |= tag_bit(classes[i]);
    if (set & BIT(SEMSC0 + i)) result.sem |= tag_bit(semantics[i]);
  }
  if (atomic) result.tags |= tag_bit(TAG_ATOM);
  if (atomic || set & (BIT(NONPRIV) | BIT(AV) | BIT(VIS))) result.tags |= tag_bit(TAG_NONPRIV);
  if (is_rmw(set)) return result;
  if (set & BIT(AV) || (atomic && writes(set))) result.tags |= tag_bit(TAG_AV);
  if (set & BIT(VIS) || (atomic && reads(set))) result.tags |= tag_bit(TAG_VIS);
  return result;
}

/* A load's register: shown, and with the value that the text says. */
static int make_register(struct draft *draft, struct draft_thread *thread, const struct instruction *i) {
  struct arena *arena = draft->reader.arena;
  const char *name = arena_printf(arena, "r%zu", (size_t)thread->registers.count);
  unsigned reg = draft_use_register(draft, thread, name, i->span);
  thread->registers.at[reg].assigned = true;
  struct syntax_operand operand = {.kind = OPERAND_REGISTER, .number = thread->number, .name = name, .span = i->span};
  *vec_push(arena, &draft->condition.locations) = operand;
  if (!i->numbers) return (int)reg;
  struct syntax_prop *value = ARENA_MAKE(arena, struct syntax_prop, .kind = PROP_COMPARE, .compare = CMP_EQ,
                                         .left = operand, .right.value = i->values[0]);
  struct khronos *own = draft->own;
  *vec_push(arena, &own->values) = value;
  return (int)reg;
}

static void lower_access(struct column_cell *cell, const struct instruction *i, int64_t *fresh) {
  struct draft *draft = cell->draft;
  bool load = reads(i->words), store = writes(i->words);
  struct vulkan_words said = words_of(i->words);
  enum instr_kind kind = load && store ? INSTR_RMW : load ? INSTR_LOAD : INSTR_STORE;
  int reg = load ? make_register(draft, cell->thread, i) : NO_REG;
  struct instr *instr = draft_emit(draft, cell->thread, kind, i->span);
  vulkan_apply(instr, &said);
  instr->reg = reg;
  assembly_access(cell, instr, draft_find_location(draft, i->name));
  if (load && store) instr->op = RMW_EXCHANGE;
  bool given = i->numbers > load;
  if (store) instr->value = draft_constant(draft, given ? i->values[load] : (*fresh)++);
}

static void lower_instruction(struct column_cell *cell, const struct instruction *i, int64_t *fresh) {
  struct vulkan_words said = words_of(i->words);
  if (i->words & ACCESSES) {
    lower_access(cell, i, fresh);
  } else if (i->words & BIT(MEMBAR)) {
    vulkan_apply_fence(draft_emit(cell->draft, cell->thread, INSTR_FENCE, i->span), &said);
  } else if (i->words & BIT(CBAR)) {
    said.tags |= tag_bit(TAG_CBAR) | (said.order == ORDER_NA ? 0 : tag_bit(TAG_F));
    struct instr *instr = draft_emit(cell->draft, cell->thread, INSTR_MEET, i->span);
    instr->barrier_label = draft_barrier_label(cell->draft, i->name);
    vulkan_apply_fence(instr, &said);
  } else {
    enum tag tag = i->words & BIT(AVDEVICE) ? TAG_AVDEVICE : TAG_VISDEVICE;
    draft_emit(cell->draft, cell->thread, INSTR_MARK, i->span)->tags = tag_bit(tag);
  }
}

static void lower_pairs(struct draft *draft, const struct khronos *own) {
  for (size_t i = 0; i < own->pairs.count; i++) {
    size_t found[2];
    for (int k = 0; k < 2; k++) {
      int64_t number = own->pairs.at[i].threads[k];
      for (found[k] = 0; found[k] < own->numbers.count && own->numbers.at[found[k]] != number;) found[k]++;
      if (found[k] == own->numbers.count)
        reader_fail(&draft->reader, own->pairs.at[i].span, "there is no thread %d", (int)number);
    }
    struct thread_pair pair = {(unsigned)found[0], (unsigned)found[1]};
    if (!draft->reader.failed) *vec_push(draft->reader.arena, &draft->pairs) = pair;
  }
}

/* Stores that do not say what they write write what no other does. */
static int64_t first_fresh(const struct khronos *own) {
  int64_t most = 0;
  for (size_t i = 0; i < own->instructions.count; i++)
    for (unsigned k = 0; k < own->instructions.at[i].numbers; k++)
      if (own->instructions.at[i].values[k] > most) most = own->instructions.at[i].values[k];
  return most + 1;
}

static void lower(struct draft *draft) {
  struct khronos *own = draft->own;
  int64_t fresh = first_fresh(own);
  for (size_t i = 0; i < own->instructions.count && !draft->reader.failed; i++) {
    const struct instruction *instruction = &own->instructions.at[i];
    check_instruction(draft, instruction);
    struct column_cell cell = {draft, &draft->reader, &draft->threads.at[instruction->thread], NULL};
    if (!draft->reader.failed) lower_instruction(&cell, instruction, &fresh);
  }
  draft->condition.filter = draft_join(draft->reader.arena, PROP_AND, own->values.at, own->values.count);
  lower_pairs(draft, own);
  if (!draft->assertions.count && !draft->reader.failed)
    diag_warning(draft->reader.diags, draft->reader.source, (struct span){(uint32_t)draft->reader.source->size, 0},
                 "nothing is asserted: there is no SATISFIABLE or NOSOLUTION");
}

/* --- the dialect --------------------------------------------------------------------------------------- */

static const char *const first_words[] = {"NEWQF", "NEWWG",       "NEWSG",      "NEWTHREAD", "SSW",
                                          "SLOC",  "SATISFIABLE", "NOSOLUTION", NULL};

static const char *const scope_words[] = {"", "", "scopesg", "scopewg", "scopeqf", "scopedev", ""};

const struct dialect khronos_dialect = {
    .words = first_words,
    .nameless = true,
    .language = LANG_VULKAN,
    .name = "Khronos",
    .model = "vulkan",
    .scoped = true,
    .barriers = true,
    .free_values = true,
    .scope_words = scope_words,
    .parse = parse,
    .lower = lower,
};
