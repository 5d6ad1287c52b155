/* SPDX-License-Identifier: MIT */
/* A certificate's program: locations, and threads of instructions.
 *
 *     cell  = (at BASE SIZE INDEX NAME)             INDEX: an expression or -; NAME: a location or -1
 *     value = NUMBER | $REGISTER | (OPERATOR value...)
 *     instr = (load REG cell WORDS) | (store cell value WORDS) | (fence WORDS) | (mark WORDS)
 *           | (rmw REG cell OPERATOR BITS SIGNED value WORDS WORDS)
 *           | (cas REG cell value|(memory cell WORDS) value FLAGS WORDS WORDS WORDS)
 *           | (meet LABEL -|value -|value wait|arrive WORDS)     its resource, its quorum
 *           | (barrier LABEL WORDS WORDS) | (assign REG value) | (jump TARGET)
 *           | (branch value TARGET) | (branch value TARGET FIRST $REGISTER...)     an `if`: its condition begins at
 *                                                                                  FIRST, and names these
 */
#include <string.h>

#include "checker/certify/certify.h"

enum { MOST_LOCATIONS = 1000, MOST_VALUE_DEPTH = 100 };

static const char *const OPERATORS[] = {"const", "reg",  "add", "sub", "mul", "div",  "mod",  "and", "or",   "xor",
                                        "shl",   "shr",  "eq",  "ne",  "lt",  "le",   "gt",   "ge",  "land", "lor",
                                        "udiv",  "umod", "ult", "neg", "not", "lnot", "cond", NULL};

/* ---- Words of events ---------------------------------------------------------------- */

static const char *words[64];
static unsigned word_count;

/* Words that mean something here, at the places that the enumeration says. */
static void start_words(void) {
  static const char *const KNOWN[] = {"_",  "R",  "W",  "M",  "F",  "IW", "RMW", "SC",
                                      "NA", "WI", "SG", "WG", "QF", "DV", "ALL"};
  word_count = sizeof KNOWN / sizeof *KNOWN;
  memcpy(words, KNOWN, sizeof KNOWN);
}

static unsigned intern(const struct item *item) {
  const char *word = word_of(item);
  for (unsigned i = 0; i < word_count; i++)
    if (!strcmp(words[i], word)) return i;
  if (word_count == 64) bad(item, "more than 64 different words of events");
  words[word_count] = word;
  return word_count++;
}

mask words_in(const struct item *list, unsigned from) {
  mask set = 0;
  if (list->word) bad(list, "expected a list of words");
  for (unsigned i = from; i < list->count; i++) set |= BIT(intern(part(list, i)));
  return set;
}

/* ---- Values and cells ------------------------------------------------------------------ */

static unsigned operand_count(enum operator_ op) {
  if (op == E_CONST || op == E_REG) return 0;
  return op == E_COND ? 3 : op == E_NEG || op == E_NOT || op == E_LNOT ? 1 : 2;
}

const struct expr *read_expr(const struct item *item, unsigned registers, unsigned depth) {
  struct expr *e = make(sizeof *e);
  if (depth == MOST_VALUE_DEPTH) bad(item, "values are nested too deep");
  if (item->word && *item->word == '$') {
    struct item number = *item;
    number.word++;
    e->op = E_REG;
    e->reg = index_of(&number, registers);
  } else if (item->word) {
    e->op = E_CONST;
    e->value = number_of(item);
  } else {
    e->op = (enum operator_)choice_of(part(item, 0), OPERATORS, "operator");
    unsigned count = operand_count(e->op);
    if (!count || item->count != count + 1) bad(item, "wrong number of operands");
    e->a = read_expr(part(item, 1), registers, depth + 1);
    if (count > 1) e->b = read_expr(part(item, 2), registers, depth + 1);
    if (count > 2) e->c = read_expr(part(item, 3), registers, depth + 1);
  }
  return e;
}

/* A value, or `-` for none. */
static const struct expr *read_optional(const struct item *item, unsigned registers) {
  return item->word && !strcmp(item->word, "-") ? NULL : read_expr(item, registers, 0);
}

struct cell read_cell(const struct program *p, const struct item *item, unsigned registers) {
  if (!is_list(item, "at")) bad(item, "expected a cell: (at BASE SIZE INDEX NAME)");
  struct cell cell = {.base = index_of(part(item, 1), p->location_count)};
  cell.size = index_of(part(item, 2), p->location_count - cell.base + 1);
  cell.index = read_optional(part(item, 3), registers);
  int64_t name = number_of(part(item, 4));
  cell.name = name < 0 ? -1 : (int)index_of(part(item, 4), p->location_count);
  if (!cell.size || (!cell.index && cell.size > 1)) bad(item, "a cell of no size, or an array without an index");
  return cell;
}

/* ---- Instructions ------------------------------------------------------------------------ */

static int read_register(const struct item *item, const struct thread *t) {
  return number_of(item) < 0 ? -1 : (int)index_of(item, t->reg_count);
}

int read_operator(const struct item *item) {
  const char *word = word_of(item);
  if (!strcmp(word, "exchange")) return OP_EXCHANGE;
  if (!strcmp(word, "min")) return OP_MIN;
  if (!strcmp(word, "max")) return OP_MAX;
  if (!strcmp(word, "umin")) return OP_UMIN;
  if (!strcmp(word, "umax")) return OP_UMAX;
  unsigned op = choice_of(item, OPERATORS, "operator");
  if (operand_count((enum operator_)op) != 2) bad(item, "not an operator of two values");
  return (int)op;
}

static void read_cas(const struct program *p, const struct thread *t, struct instr *in, const struct item *item) {
  const struct item *expected = part(item, 3), *flags = part(item, 5);
  if (is_list(expected, "memory")) {
    in->expected_at = read_cell(p, part(expected, 1), t->reg_count);
    in->ordinary = words_in(part(expected, 2), 0);
  } else {
    in->expected = read_expr(expected, t->reg_count, 0);
  }
  in->value = read_expr(part(item, 4), t->reg_count, 0);
  for (unsigned i = 0; i < flags->count; i++) {
    static const char *const FLAGS[] = {"weak", "returns-old", "writes-back", "rewrites", NULL};
    *(bool *[]){&in->weak, &in->returns_old, &in->writes_back,
                &in->rewrites}[choice_of(part(flags, i), FLAGS, "flag")] = true;
  }
  if ((in->rewrites || !in->writes_back) ? in->rewrites && !in->expected : in->expected != NULL)
    bad(item, "these do not go together");
  in->read = words_in(part(item, 6), 0);
  in->write = words_in(part(item, 7), 0);
  in->fail = words_in(part(item, 8), 0);
}

static void read_rmw(const struct thread *t, struct instr *in, const struct item *item) {
  in->op = read_operator(part(item, 3));
  in->bits = index_of(part(item, 4), 64);
  in->is_signed = index_of(part(item, 5), 2);
  in->value = read_expr(part(item, 6), t->reg_count, 0);
  in->read = words_in(part(item, 7), 0);
  in->write = words_in(part(item, 8), 0);
}

static void read_condition(const struct thread *t, struct instr *in, const struct item *item) {
  in->has_arms = true;
  in->first = index_of(part(item, 3), (unsigned)(in - t->instrs) + 1);
  in->named_count = item->count - 4;
  in->named = make((in->named_count + 1) * sizeof *in->named);
  for (unsigned i = 0; i < in->named_count; i++) {
    const struct expr *e = read_expr(part(item, 4 + i), t->reg_count, 0);
    if (e->op != E_REG) bad(part(item, 4 + i), "expected a register");
    in->named[i] = e->reg;
  }
}

static void read_instr(struct program *p, const struct thread *t, struct instr *in, const struct item *item) {
  static const char *const KINDS[] = {"load",   "store", "rmw",  "cas",  "fence", "barrier", "assign",
                                      "branch", "jump",  "mark", "meet", "meet",  NULL};
  in->kind = (enum instr_kind)choice_of(part(item, 0), KINDS, "instruction");
  bool reg = in->kind == I_LOAD || in->kind == I_RMW || in->kind == I_CAS || in->kind == I_ASSIGN;
  in->reg = reg ? read_register(part(item, 1), t) : -1;
  if (accesses_memory(in)) in->cell = read_cell(p, part(item, in->kind == I_STORE ? 1 : 2), t->reg_count);
  switch (in->kind) {
    case I_LOAD:
      in->read = words_in(part(item, 3), 0);
      break;
    case I_STORE:
      in->value = read_expr(part(item, 2), t->reg_count, 0);
      in->write = words_in(part(item, 3), 0);
      break;
    case I_RMW:
      read_rmw(t, in, item);
      break;
    case I_CAS:
      read_cas(p, t, in, item);
      break;
    case I_FENCE:
    case I_MARK:
      in->read = words_in(part(item, 1), 0);
      break;
    case I_BARRIER:
      in->label = index_of(part(item, 1), 1000);
      if (in->label >= p->label_count) p->label_count = in->label + 1;
      in->read = words_in(part(item, 2), 0);
      in->write = words_in(part(item, 3), 0);
      break;
    case I_ASSIGN:
      in->value = read_expr(part(item, 2), t->reg_count, 0);
      break;
    case I_BRANCH:
      in->value = read_expr(part(item, 1), t->reg_count, 0);
      in->target = index_of(part(item, 2), t->instr_count + 1);
      if (item->count > 3) read_condition(t, in, item);
      break;
    case I_JUMP:
      in->target = index_of(part(item, 1), t->instr_count + 1);
      break;
    case I_MEET:
      in->label = index_of(part(item, 1), 1000);
      in->resource = read_optional(part(item, 2), t->reg_count);
      in->quorum = read_optional(part(item, 3), t->reg_count);
      in->arrives = choice_of(part(item, 4), (const char *[]){"wait", "arrive", NULL}, "kind of barrier");
      in->read = words_in(part(item, 5), 0);
  }
}

static void read_thread(struct program *p, const struct item *item) {
  if (p->thread_count == MOST_THREADS) bad(item, "more than %d threads", MOST_THREADS);
  struct thread *t = &p->threads[p->thread_count++];
  const struct item *place = part(item, 1), *registers = part(item, 2);
  for (unsigned i = 0; i < 4; i++) t->place[i] = index_of(part(place, i), 1 << 20);
  if (registers->count > MOST_REGISTERS || item->count > MOST_INSTRUCTIONS) bad(item, "this thread is too long");
  t->reg_count = registers->count;
  t->init = make((t->reg_count + 1) * sizeof *t->init);
  for (unsigned i = 0; i < t->reg_count; i++) t->init[i] = number_of(part(registers, i));
  t->instr_count = item->count - 3;
  t->instrs = make((t->instr_count + 1) * sizeof *t->instrs);
  const struct item *at = item->count > 3 ? part(item, 3) : NULL;
  for (unsigned i = 0; i < t->instr_count; i++, at = at->next) read_instr(p, t, &t->instrs[i], at);
  find_joins(t);
}

static void read_location(struct program *p, const struct item *item, unsigned all) {
  struct location *x = &p->locations[p->location_count++];
  x->name = word_of(part(item, 1));
  x->init = number_of(part(item, 2));
  x->generic = index_of(part(item, 3), all);
  x->physical = index_of(part(item, 4), all);
  x->words = words_in(part(item, 5), 0);
}

const struct program *read_program(const struct item *list) {
  struct program *p = make(sizeof *p);
  start_words();
  p->locations = make(MOST_LOCATIONS * sizeof *p->locations);
  p->pairs = make(MOST_LOCATIONS * sizeof *p->pairs);
  unsigned all = 0;
  for (const struct item *at = part(list, 0)->next; at; at = at->next) all += is_list(at, "location");
  if (all > MOST_LOCATIONS || list->count > MOST_LOCATIONS) bad(list, "this program is too long");
  for (const struct item *at = part(list, 0)->next; at; at = at->next) {
    static const char *const ORDERS[] = {"total", "partial", NULL};
    if (is_list(at, "unroll"))
      p->unroll = index_of(part(at, 1), 1001);
    else if (is_list(at, "coherence"))
      p->partial = choice_of(part(at, 1), ORDERS, "kind of coherence");
    else if (is_list(at, "location"))
      read_location(p, at, all);
    else if (is_list(at, "pair"))
      p->pairs[p->pair_count].from = index_of(part(at, 1), MOST_THREADS),
      p->pairs[p->pair_count++].to = index_of(part(at, 2), MOST_THREADS);
    else if (is_list(at, "thread"))
      read_thread(p, at);
    else
      bad(at, "no part of a program");
  }
  return p;
}
