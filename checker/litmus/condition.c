/* SPDX-License-Identifier: MIT */
/* Conditions: read as syntax, looked up once the program is there.
 *
 *   tail      = [filter] [locations] [filter] [final] [";"] end
 *   filter    = "filter" prop
 *   locations = "locations" "[" { operand {type} ";" } "]"
 *   final     = ("exists" | "~exists" | "forall" | "final") prop [kinds] | "(" prop ")" [kinds] | "observed" states
 *   kinds     = "with" { name ":" ("exists" | "~exists" | "forall") [";"] }     read and dropped, as by herd
 *   states    = { atom ";" } { "and" { atom ";" } }                             exists, one of these
 *   prop      = and { "\/" and }                herd's order: ~ binds tightest,
 *   and       = implies { "/\" implies }        then =>, then /\, then \/
 *   implies   = unary [ "=>" implies ]
 *   unary     = ("~" | "not") unary | "(" [prop] ")" | "true" | "false" | atom
 *   atom      = operand ("=" | "==" | "!=" | "<" | "<=" | ">" | ">=") operand
 *             | location "=" "{" operand { "," operand } "}"                 all cells of an array
 *   (`x = y` and `x != y` with a bare location on the right: its address; also `&y`)
 *   operand   = number | thread ":" register ["[" number "]"] | ["*"] location | "[" location "]" | location "[" number
 * "]"
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/litmus/draft.h"

enum { NESTING_LIMIT = 256 };

struct syntax_prop {
  enum prop_kind kind;
  enum compare compare;
  struct syntax_operand left, right;
  const struct syntax_prop *a, *b;
  const struct syntax_operand *array; /* of all of its cells, with `values`; NULL: it is no comparison with those */
  const struct syntax_operand *values;
  unsigned count;
};

struct parser {
  struct draft *draft;
  struct reader *reader;
  unsigned depth;
};

/* --- operands -------------------------------------------------------------------- */

static bool skip_thread(struct parser *p, struct syntax_operand *operand) {
  const struct token *token = p->reader->token;
  if (token == p->reader->end || !token_is(token + 1, ":")) return false;
  if (token->kind == TOKEN_NUMBER)
    operand->number = token->value > 100000 ? 100000 : (unsigned)token->value;
  else if (!draft_is_thread_name(token, &operand->number))
    return false;
  reader_take(p->reader);
  reader_take(p->reader);
  return true;
}

static void parse_location(struct parser *p, struct syntax_operand *operand) {
  bool bracketed = reader_skip(p->reader, "[");
  if (!bracketed) reader_skip(p->reader, "*");
  operand->kind = OPERAND_LOCATION;
  operand->name =
      reader_take_name(p->reader, bracketed ? "a location" : "a location, a register such as 0:r0, or a number");
  if (reader_skip(p->reader, "[")) {
    operand->cell = true;
    operand->value = reader_take_number(p->reader, "the number of a cell");
    reader_expect(p->reader, "]", "after the number of the cell");
  }
  if (bracketed) reader_expect(p->reader, "]", "after the location");
}

static struct syntax_operand parse_operand(struct parser *p) {
  const struct token *first = p->reader->token;
  struct syntax_operand operand = {.kind = OPERAND_NUMBER};
  if (skip_thread(p, &operand)) {
    operand.kind = OPERAND_REGISTER;
    operand.name = reader_take_name(p->reader, "a register");
    if (reader_skip(p->reader, "[")) {
      int64_t cell = reader_take_number(p->reader, "the number of a cell");
      operand.name = arena_printf(p->reader->arena, "%s[%" PRId64 "]", operand.name, cell);
      reader_expect(p->reader, "]", "after the number of the cell");
    }
  } else if (first->kind == TOKEN_NUMBER || token_is(first, "-")) {
    operand.value = reader_take_number(p->reader, "a number");
  } else {
    parse_location(p, &operand);
  }
  operand.span = reader_span_from(p->reader, first);
  return operand;
}

/* --- propositions ------------------------------------------------------------------ */

static const struct syntax_prop *parse_prop(struct parser *p);

static struct syntax_prop *new_prop(struct parser *p, enum prop_kind kind, const struct syntax_prop *a,
                                    const struct syntax_prop *b) {
  struct syntax_prop *prop = ARENA_NEW(p->reader->arena, struct syntax_prop);
  prop->kind = kind;
  prop->a = a;
  prop->b = b;
  return prop;
}

static bool parse_compare(struct parser *p, enum compare *compare) {
  static const struct {
    const char *text;
    enum compare compare;
  } words[] = {{"=", CMP_EQ},  {"==", CMP_EQ}, {"!=", CMP_NE}, {"<", CMP_LT},
               {"<=", CMP_LE}, {">", CMP_GT},  {">=", CMP_GE}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (reader_skip(p->reader, words[i].text)) {
      *compare = words[i].compare;
      return true;
    }
  reader_fail_expected(p->reader, "a comparison such as '='");
  return false;
}

/* As in herd, a location on the right of `=` is its address: `x=y` asks whether x
 * points to y, and `[x]=[y]` whether they hold the same.  An order of addresses,
 * or a number compared with one, nobody can mean. */
static bool is_address(const struct syntax_prop *prop, const struct token *right) {
  bool equality = prop->compare == CMP_EQ || prop->compare == CMP_NE;
  if (prop->right.kind != OPERAND_LOCATION) return false;
  if (token_is(right, "&")) return true;
  return equality && prop->left.kind != OPERAND_NUMBER && !token_is(right, "[") && !token_is(right, "*");
}

static const struct syntax_prop *join(struct parser *p, enum prop_kind kind, const struct syntax_prop **parts,
                                      size_t count);

/* `{1, 2}` behind `a=`: a comparison of each cell. */
static const struct syntax_prop *parse_cells(struct parser *p, const struct syntax_operand *array) {
  VEC(const struct syntax_prop *) parts = {0};
  VEC(struct syntax_operand) values = {0};
  struct arena *arena = p->reader->arena;
  do {
    reader_skip(p->reader, "&");
    struct syntax_operand value = parse_operand(p), cell = *array;
    if (value.kind == OPERAND_LOCATION) value.kind = OPERAND_ADDRESS;
    struct syntax_prop *part = new_prop(p, PROP_COMPARE, NULL, NULL);
    cell.cell = true;
    cell.value = (int64_t)parts.count;
    part->left = cell;
    part->right = *vec_push(arena, &values) = value;
    *vec_push(arena, &parts) = part;
  } while (!p->reader->failed && reader_skip(p->reader, ","));
  reader_expect(p->reader, "}", "after an array's values");
  struct syntax_prop *all = ARENA_NEW(arena, struct syntax_prop);
  struct syntax_operand *whole = ARENA_NEW(arena, struct syntax_operand);
  *all = *join(p, PROP_AND, parts.at, parts.count);
  *whole = *array;
  all->array = whole;
  all->values = values.at;
  all->count = (unsigned)values.count;
  return all;
}

static const struct syntax_prop *parse_atom(struct parser *p) {
  struct syntax_prop *prop = new_prop(p, PROP_COMPARE, NULL, NULL);
  prop->left = parse_operand(p);
  if (parse_compare(p, &prop->compare)) {
    bool cells = prop->compare == CMP_EQ && prop->left.kind == OPERAND_LOCATION && !prop->left.cell;
    if (cells && reader_skip(p->reader, "{")) return parse_cells(p, &prop->left);
    const struct token *right = p->reader->token;
    reader_skip(p->reader, "&");
    prop->right = parse_operand(p);
    if (is_address(prop, right)) prop->right.kind = OPERAND_ADDRESS;
  }
  return prop;
}

static const struct syntax_prop *parse_parentheses(struct parser *p) {
  if (reader_skip(p->reader, ")")) return new_prop(p, PROP_TRUE, NULL, NULL);
  const struct syntax_prop *prop = parse_prop(p);
  reader_expect(p->reader, ")", "in the condition");
  return prop;
}

static const struct syntax_prop *parse_unary(struct parser *p) {
  if (p->depth >= NESTING_LIMIT) {
    reader_fail(p->reader, p->reader->token->span, "the condition is nested too deeply (more than %d levels)",
                NESTING_LIMIT);
    return new_prop(p, PROP_TRUE, NULL, NULL);
  }
  p->depth++;
  const struct syntax_prop *prop;
  if (reader_is(p->reader, "!")) reader_fail(p->reader, p->reader->token->span, "in conditions, '!' is written '~'");
  if (reader_skip(p->reader, "~") || reader_skip(p->reader, "not"))
    prop = new_prop(p, PROP_NOT, parse_unary(p), NULL);
  else if (reader_skip(p->reader, "("))
    prop = parse_parentheses(p);
  else if (reader_skip(p->reader, "true"))
    prop = new_prop(p, PROP_TRUE, NULL, NULL);
  else if (reader_skip(p->reader, "false"))
    prop = new_prop(p, PROP_FALSE, NULL, NULL);
  else
    prop = parse_atom(p);
  p->depth--;
  return prop;
}

/* Other languages' words for the connectives. */
static void refuse_foreign_connective(struct parser *p) {
  static const struct {
    const char *found, *meant;
  } words[] = {{"&&", "/\\"}, {"||", "\\/"}, {"|", "\\/"}, {"&", "/\\"}, {"and", "/\\"}, {"or", "\\/"}, {"->", "=>"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (reader_is(p->reader, words[i].found))
      reader_fail(p->reader, p->reader->token->span, "in conditions, '%s' is written '%s'", words[i].found,
                  words[i].meant);
}

static const struct syntax_prop *parse_implies(struct parser *p) {
  const struct syntax_prop *left = parse_unary(p);
  refuse_foreign_connective(p);
  if (!reader_skip(p->reader, "=>")) return left;
  if (++p->depth >= NESTING_LIMIT)
    reader_fail(p->reader, p->reader->token->span, "more than %d '=>' in a row", NESTING_LIMIT);
  const struct syntax_prop *right = parse_implies(p);
  p->depth--;
  return new_prop(p, PROP_IMPLIES, left, right);
}

/* A balanced tree, so that long chains do not nest deeply. */
static const struct syntax_prop *join(struct parser *p, enum prop_kind kind, const struct syntax_prop **parts,
                                      size_t count) {
  if (count == 1) return parts[0];
  size_t half = count / 2;
  return new_prop(p, kind, join(p, kind, parts, half), join(p, kind, parts + half, count - half));
}

static const struct syntax_prop *parse_chain(struct parser *p, enum prop_kind kind, const char *separator,
                                             const struct syntax_prop *(*part)(struct parser *)) {
  VEC(const struct syntax_prop *) parts = {0};
  do *vec_push(p->reader->arena, &parts) = part(p);
  while (reader_skip(p->reader, separator));
  return join(p, kind, parts.at, parts.count);
}

static const struct syntax_prop *parse_and(struct parser *p) {
  return parse_chain(p, PROP_AND, "/\\", parse_implies);
}

static const struct syntax_prop *parse_prop(struct parser *p) {
  return parse_chain(p, PROP_OR, "\\/", parse_and);
}

/* --- the tail of a test ---------------------------------------------------------------- */

static void parse_filter(struct parser *p) {
  const struct token *first = p->reader->token;
  if (!reader_skip(p->reader, "filter")) return;
  if (p->draft->condition.filter) reader_fail(p->reader, first->span, "a second filter");
  p->draft->condition.filter = parse_prop(p);
  reader_skip(p->reader, ";");
}

static void parse_locations(struct parser *p) {
  if (!reader_skip(p->reader, "locations")) return;
  reader_expect(p->reader, "[", "after 'locations'");
  while (!p->reader->failed && !reader_is(p->reader, "]") && !draft_at_condition(p->draft)) {
    if (reader_skip(p->reader, ";")) continue;
    struct syntax_operand operand = parse_operand(p);
    if (operand.kind == OPERAND_NUMBER) reader_fail(p->reader, operand.span, "expected a location or a register");
    *vec_push(p->reader->arena, &p->draft->condition.locations) = operand;
    struct type type;
    draft_parse_type(p->draft, &type);
    while (reader_skip(p->reader, "*")) continue;
    if (!reader_is(p->reader, "]")) reader_expect(p->reader, ";", "between observed locations");
  }
  reader_expect(p->reader, "]", "after the observed locations");
}

static bool parse_quantifier(struct parser *p, enum quantifier *quantifier) {
  bool negated = reader_skip(p->reader, "~") || reader_skip(p->reader, "not");
  if (reader_skip(p->reader, "exists")) {
    *quantifier = negated ? QUANT_NOT_EXISTS : QUANT_EXISTS;
    return true;
  }
  if (negated) reader_fail_expected(p->reader, "'exists' after '~'");
  if (reader_is(p->reader, "(") || reader_skip(p->reader, "final")) {
    *quantifier = QUANT_EXISTS;
    return true;
  }
  *quantifier = QUANT_FORALL;
  return reader_skip(p->reader, "forall");
}

/* `with tso: exists; sc: ~exists`: what models are expected to say. */
static void skip_kinds(struct parser *p) {
  if (!reader_skip(p->reader, "with")) return;
  enum quantifier ignored;
  while (!p->reader->failed && reader_is_name(p->reader)) {
    reader_take(p->reader);
    reader_expect(p->reader, ":", "after the name of a model");
    if (!parse_quantifier(p, &ignored)) reader_fail_expected(p->reader, "exists, ~exists or forall");
    reader_skip(p->reader, ";");
  }
}

/* One state of `observed`: all of its atoms. */
static const struct syntax_prop *parse_observed_state(struct parser *p) {
  VEC(const struct syntax_prop *) atoms = {0};
  while (!p->reader->failed && p->reader->token->kind != TOKEN_END && !reader_is(p->reader, "and")) {
    *vec_push(p->reader->arena, &atoms) = parse_atom(p);
    if (!reader_skip(p->reader, ";")) break;
  }
  return atoms.count ? join(p, PROP_AND, atoms.at, atoms.count) : new_prop(p, PROP_TRUE, NULL, NULL);
}

bool draft_at_condition(const struct draft *draft) {
  static const char *const words[] = {"filter", "locations", "exists", "forall", "final", "observed", "~"};
  const struct token *token = draft->reader.token;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is(token, words[i])) return true;
  if (token_is(token, "(")) return !draft->dialect->kernels; /* a bare condition, or a kernel misspelt */
  return token->kind == TOKEN_END || (token_is(token, "not") && token_is(token + 1, "exists"));
}

static void fail_tail(struct parser *p) {
  static const char *const words[] = {"filter", "locations", "exists", "forall", "scopeTree", NULL};
  const struct token *token = p->reader->token;
  bool known = false;
  for (int i = 0; words[i]; i++) known |= token_is(token, words[i]);
  const char *hint = token->kind == TOKEN_NAME && !known ? reader_hint(p->reader, token->text, words) : "";
  if (token_is(token, "}"))
    reader_fail(p->reader, token->span, "this brace closes nothing");
  else if (*hint)
    reader_fail(p->reader, token->span, "unknown word '%s'%s", token->text, hint);
  else
    reader_fail_expected(p->reader, p->draft->condition.prop ? "the end of the test"
                                                             : "exists, ~exists, forall, or the end of the test");
}

static void parse_final(struct parser *p) {
  struct syntax_condition *condition = &p->draft->condition;
  condition->quantifier = QUANT_FORALL;
  if (reader_skip(p->reader, "observed")) {
    condition->quantifier = QUANT_EXISTS;
    condition->prop = parse_chain(p, PROP_OR, "and", parse_observed_state);
  } else if (parse_quantifier(p, &condition->quantifier)) {
    bool empty = p->reader->token->kind == TOKEN_END;
    condition->prop = empty ? new_prop(p, PROP_TRUE, NULL, NULL) : parse_prop(p);
    reader_skip(p->reader, ";");
    skip_kinds(p);
  }
  if (p->reader->token->kind != TOKEN_END) fail_tail(p);
}

void draft_parse_condition(struct draft *draft) {
  struct parser p = {draft, &draft->reader, 0};
  parse_filter(&p);
  parse_locations(&p);
  parse_filter(&p);
  parse_final(&p);
}

void draft_replace_condition(struct draft *draft, const char *text) {
  struct arena *arena = draft->reader.arena;
  struct reader reader = {.arena = arena, .diags = draft->reader.diags};
  const char *name = arena_printf(arena, "condition for %s", draft->reader.source->name);
  reader.source = source_from_text(arena, name, text, strlen(text));
  reader_open(&reader, 0, draft->dialect->lexis);
  struct parser p = {draft, &reader, 0};
  draft->condition.replaced = draft->condition.prop;
  draft->condition.prop = NULL;
  parse_final(&p);
  reader_finish(&reader);
  draft->condition.source = reader.source;
  if (reader.failed) {
    draft->reader.failed = true;
    draft->reader.token = draft->reader.end;
  }
}

/* --- locations that only the condition names ----------------------------------------------- */

static void add_location(struct draft *draft, const struct syntax_operand *operand) {
  if (operand->kind != OPERAND_LOCATION || operand->cell) return;
  for (size_t i = 0; i < draft->threads.count; i++)
    if (draft_find_register(&draft->threads.at[i], operand->name) >= 0) return; /* an error, see fail_location */
  draft_use_location(draft, operand->name, operand->span);
}

static void add_locations(struct draft *draft, const struct syntax_prop *prop) {
  if (!prop) return;
  if (prop->kind == PROP_COMPARE) {
    add_location(draft, &prop->left);
    add_location(draft, &prop->right);
  }
  add_locations(draft, prop->a);
  add_locations(draft, prop->b);
}

void draft_use_condition(struct draft *draft) {
  add_locations(draft, draft->condition.prop);
  add_locations(draft, draft->condition.filter);
  for (size_t i = 0; i < draft->condition.locations.count; i++) add_location(draft, &draft->condition.locations.at[i]);
}

/* --- names looked up --------------------------------------------------------------------- */

struct resolver {
  struct draft *draft;
  struct program *program;
  VEC(struct observable) seen;
  VEC(const struct draft_location *) whole; /* arrays that the `locations` line names, in C */
};

/* A register that the thread never mentions keeps its 0, as in herd, where
 * conditions on untaken or deleted branches rely on it; most likely a slip. */
static int add_register(struct draft *draft, struct thread *thread, const struct syntax_operand *operand) {
  enum { MOST_REGISTERS = 1000 };
  struct arena *arena = draft->reader.arena;
  unsigned count = thread->reg_count;
  if (count >= MOST_REGISTERS) {
    reader_fail(&draft->reader, operand->span, "%s has more than %d registers already, and no '%s'", thread->name,
                MOST_REGISTERS, operand->name);
    return 0;
  }
  const char **names = ARENA_ARRAY(arena, const char *, count + 1),
             **words = ARENA_ARRAY(arena, const char *, count + 1);
  int64_t *init = ARENA_ARRAY(arena, int64_t, count + 1);
  size_t word_count = 0;
  for (unsigned i = 0; i < count; i++) {
    names[i] = thread->reg_names[i];
    init[i] = thread->reg_init[i];
    if (names[i]) words[word_count++] = names[i];
  }
  diag_warning(draft->reader.diags, draft->reader.source, operand->span, "%s has no register '%s', so it reads as 0%s",
               thread->name, operand->name, reader_hint(&draft->reader, operand->name, words));
  names[count] = operand->name;
  thread->reg_names = names;
  thread->reg_init = init;
  thread->reg_count++;
  return (int)count;
}

static struct observable find_register(struct resolver *r, const struct syntax_operand *operand) {
  struct program *program = r->program;
  if (operand->number >= program->thread_count) {
    reader_fail(&r->draft->reader, operand->span, "there is no thread P%u: the last one is P%u", operand->number,
                program->thread_count - 1);
    return (struct observable){0, 0};
  }
  struct thread *thread = &program->threads[operand->number];
  int reg = thread_find_register(thread, operand->name);
  if (reg < 0 && draft_find_location(r->draft, operand->name))
    reader_fail(&r->draft->reader, operand->span, "'%s' is a location: it is written without a thread", operand->name);
  else if (reg < 0 && thread_find_register(thread, arena_printf(r->draft->reader.arena, "$%s", operand->name)) >= 0)
    reader_fail(&r->draft->reader, operand->span, "%s has no register '%s'; did you mean '$%s'?", thread->name,
                operand->name, operand->name);
  else if (reg < 0)
    reg = add_register(r->draft, thread, operand);
  return (struct observable){(int)operand->number, reg < 0 ? 0 : (unsigned)reg};
}

static void fail_location(struct draft *draft, const struct syntax_operand *operand) {
  const char **words = ARENA_ARRAY(draft->reader.arena, const char *, draft->locations.count + 1);
  for (size_t i = 0; i < draft->locations.count; i++) words[i] = draft->locations.at[i].name;
  const char *hint = reader_hint(&draft->reader, operand->name, words);
  for (size_t i = draft->threads.count; i-- > 0;)
    if (draft_find_register(&draft->threads.at[i], operand->name) >= 0)
      hint = arena_printf(draft->reader.arena, "; a register is written with its thread, such as %u:%s",
                          draft->threads.at[i].number, operand->name);
  reader_fail(&draft->reader, operand->span, "unknown location '%s'%s", operand->name, hint);
}

static struct observable find_location(struct resolver *r, const struct syntax_operand *operand) {
  struct observable what = {-1, 0};
  const struct draft_location *location = draft_find_location(r->draft, operand->name);
  if (!location)
    fail_location(r->draft, operand);
  else if (!operand->cell && location->array)
    reader_fail(&r->draft->reader, operand->span, "'%s' is an array: name a cell, such as %s[0]", operand->name,
                operand->name);
  else if (operand->cell && !location->array)
    reader_fail(&r->draft->reader, operand->span, "'%s' is not an array", operand->name);
  else if (operand->cell && (operand->value < 0 || operand->value >= location->size))
    reader_fail(&r->draft->reader, operand->span, "'%s' has cells 0 to %u", operand->name, location->size - 1);
  else
    what.index = location->first + (operand->cell ? (unsigned)operand->value : 0);
  return what;
}

static struct operand resolve_operand(struct resolver *r, const struct syntax_operand *operand) {
  if (operand->kind == OPERAND_NUMBER) return (struct operand){.constant = true, .value = operand->value};
  struct observable what = operand->kind == OPERAND_REGISTER ? find_register(r, operand) : find_location(r, operand);
  if (operand->kind == OPERAND_ADDRESS) {
    r->program->addresses = true;
    return (struct operand){.constant = true, .value = ADDRESS_FIRST + what.index};
  }
  *vec_push(r->draft->reader.arena, &r->seen) = what;
  return (struct operand){.what = what};
}

/* A number beside an int is one, as in herd7: `0:r0=0xffffffff` asks for -1. */
static void fit_constant(const struct resolver *r, struct operand *number, const struct operand *beside) {
  if (!number->constant || beside->constant) return;
  struct width width = observable_width(r->program, beside->what);
  if (!width.bits) number->value = draft_constant_in(r->draft, width, number->value);
}

/* `a={1,2}` as it is printed; the array is shown as a whole, too. */
static const char *resolve_cells(struct resolver *r, const struct syntax_prop *syntax) {
  const struct draft_location *location = draft_find_location(r->draft, syntax->array->name);
  if (!location || !location->array) return NULL; /* said of the first cell */
  if (location->size != syntax->count)
    reader_fail(&r->draft->reader, syntax->array->span, "'%s' has %u cells, and %u are compared", location->name,
                location->size, syntax->count);
  if (r->draft->dialect->language == LANG_C) *vec_push(r->draft->reader.arena, &r->whole) = location;
  struct text text;
  text_open(&text);
  fprintf(text.out, "%s={", location->name);
  for (unsigned i = 0; i < syntax->count; i++) {
    if (i) fputc(',', text.out);
    value_print(r->program, resolve_operand(r, &syntax->values[i]).value, text.out);
  }
  fputc('}', text.out);
  return text_keep(&text, r->draft->reader.arena);
}

static const struct prop *resolve_prop(struct resolver *r, const struct syntax_prop *syntax) {
  if (!syntax) return NULL;
  struct prop *prop = ARENA_NEW(r->draft->reader.arena, struct prop);
  prop->kind = syntax->kind;
  if (syntax->kind == PROP_COMPARE) {
    prop->compare = syntax->compare;
    prop->left = resolve_operand(r, &syntax->left);
    prop->right = resolve_operand(r, &syntax->right);
    fit_constant(r, &prop->left, &prop->right);
    fit_constant(r, &prop->right, &prop->left);
  }
  prop->a = resolve_prop(r, syntax->a);
  prop->b = resolve_prop(r, syntax->b);
  if (syntax->array) prop->text = resolve_cells(r, syntax);
  return prop;
}

/* --- what a state shows -------------------------------------------------------------------- */

/* The array that is shown as a whole and has it as a cell, or NULL. */
static const struct draft_location *whole_of(const struct resolver *r, struct observable what) {
  for (size_t i = 0; what.thread < 0 && i < r->whole.count; i++)
    if (what.index - r->whole.at[i]->first < r->whole.at[i]->size) return r->whole.at[i];
  return NULL;
}

/* As observable_compare, but what is shown as a whole stands among the locations that are no arrays. */
static int in_order(const void *a, const void *b, void *resolver) {
  const struct resolver *r = resolver;
  const struct observable *x = a, *y = b;
  const struct draft_location *array = whole_of(r, *x), *other = whole_of(r, *y);
  if (x->thread >= 0 || y->thread >= 0 || (!array && !other)) return observable_compare(r->program, *x, *y);
  if (array && array == other) return x->index < y->index ? -1 : x->index > y->index;
  if (!array && location_is_cell(&r->program->locations[x->index])) return 1;
  if (!other && location_is_cell(&r->program->locations[y->index])) return -1;
  return strcmp(array ? array->name : observable_name(r->program, *x),
                other ? other->name : observable_name(r->program, *y));
}

static void collect_observables(struct resolver *r, struct litmus_test *test) {
  struct observable *at = r->seen.at;
  if (r->seen.count) qsort_r(at, r->seen.count, sizeof *at, in_order, r);
  unsigned count = 0;
  for (size_t i = 0; i < r->seen.count; i++)
    if (!count || in_order(&at[count - 1], &at[i], r) != 0) at[count++] = at[i];
  unsigned *whole = ARENA_ARRAY(r->draft->reader.arena, unsigned, count + 1);
  for (unsigned i = 0; i < count; i++) {
    const struct draft_location *array = whole_of(r, at[i]);
    if (array && at[i].index == array->first) whole[i] = array->size;
  }
  test->observables = at;
  test->observable_count = count;
  test->whole = r->whole.count ? whole : NULL;
}

/* --- printing, as herd prints conditions ------------------------------------------------------ */

/* `beside`: what it is compared with.  A number is an int, as herd7 has it, but beside a longer type. */
static void print_operand(const struct program *program, const struct operand *operand, const struct operand *beside,
                          FILE *out) {
  const char *name = operand->constant ? "" : observable_name(program, operand->what);
  if (operand->constant && !beside->constant && observable_width(program, beside->what).is_long)
    observable_print_value(program, beside->what, operand->value, out);
  else if (operand->constant)
    value_print(program, operand->value, out);
  else if (operand->what.thread >= 0)
    fprintf(out, "%d:%s", operand->what.thread, name);
  else
    fprintf(out, location_is_cell(&program->locations[operand->what.index]) ? "%s" : "[%s]", name);
}

static bool needs_parentheses(enum prop_kind above, enum prop_kind here) {
  if (above == PROP_AND) return here == PROP_OR || here == PROP_IMPLIES;
  if (above == PROP_OR) return here == PROP_IMPLIES;
  return above == PROP_IMPLIES && (here == PROP_AND || here == PROP_OR);
}

static void print_prop(const struct program *program, const struct prop *prop, enum prop_kind above, FILE *out) {
  /* herd has no other word for `!=` than the negation. */
  static const char *const compares[] = {"=", "=", "<", "<=", ">", ">="};
  if (prop->text) {
    fputs(prop->text, out);
    return;
  }
  switch (prop->kind) {
    case PROP_TRUE:
      fputs("true", out);
      return;
    case PROP_FALSE:
      fputs("false", out);
      return;
    case PROP_COMPARE:
      if (prop->compare == CMP_NE) fputs("not (", out);
      print_operand(program, &prop->left, &prop->right, out);
      fputs(compares[prop->compare], out);
      print_operand(program, &prop->right, &prop->left, out);
      if (prop->compare == CMP_NE) fputc(')', out);
      return;
    case PROP_NOT:
      fputs("not (", out);
      print_prop(program, prop->a, PROP_TRUE, out);
      fputc(')', out);
      return;
    default:
      break;
  }
  bool paren = needs_parentheses(above, prop->kind);
  if (paren) fputc('(', out);
  print_prop(program, prop->a, prop->kind, out);
  fputs(prop->kind == PROP_AND ? " /\\ " : prop->kind == PROP_OR ? " \\/ " : " => ", out);
  print_prop(program, prop->b, prop->kind, out);
  if (paren) fputc(')', out);
}

static const char *condition_text(struct arena *arena, const struct litmus_test *test) {
  static const char *const words[] = {"exists", "~exists", "forall"};
  struct text text;
  text_open(&text);
  fprintf(text.out, "%s (", words[test->quantifier]);
  print_prop(test->program, test->condition, PROP_TRUE, text.out);
  fputc(')', text.out);
  return text_keep(&text, arena);
}

/* Something of the `locations` line; an array stands for all of its cells. */
static void observe(struct resolver *r, const struct syntax_operand *operand) {
  const struct draft_location *location =
      operand->kind == OPERAND_LOCATION ? draft_find_location(r->draft, operand->name) : NULL;
  if (!location || operand->cell || !location->array) {
    resolve_operand(r, operand);
    return;
  }
  if (r->draft->dialect->language == LANG_C) *vec_push(r->draft->reader.arena, &r->whole) = location;
  for (unsigned cell = 0; cell < location->size; cell++)
    *vec_push(r->draft->reader.arena, &r->seen) = (struct observable){-1, location->first + cell};
}

void draft_resolve_condition(struct draft *draft, struct litmus_test *test) {
  static const struct prop truth = {.kind = PROP_TRUE};
  struct resolver r = {draft, test->program, {0}, {0}};
  test->quantifier = draft->condition.quantifier;
  const struct source *own = draft->reader.source;
  if (draft->condition.source) draft->reader.source = draft->condition.source;
  test->condition = draft->condition.prop ? resolve_prop(&r, draft->condition.prop) : &truth;
  draft->reader.source = own;
  for (size_t i = 0; i < draft->condition.locations.count; i++) observe(&r, &draft->condition.locations.at[i]);
  /* A test with a filter alone asks about the executions that pass it. */
  bool alone = !draft->condition.prop && draft->condition.filter;
  if (alone) test->filter = resolve_prop(&r, draft->condition.filter);
  if (draft->reader.failed) return;
  collect_observables(&r, test);
  r.seen.count = 0;
  r.seen.at = NULL;
  r.seen.room = 0;
  if (!alone) test->filter = resolve_prop(&r, draft->condition.filter);
  test->condition_text = condition_text(draft->reader.arena, test);
}

struct litmus_test draft_own_observables(struct draft *draft, const struct litmus_test *test) {
  struct litmus_test own = *test;
  if (!draft->condition.replaced) return own;
  /* Nobody asked for it: what is wrong with it is not said. */
  struct diags *diags = draft->reader.diags, unsaid = diags_new(draft->reader.arena);
  draft->reader.diags = &unsaid;
  struct resolver r = {draft, test->program, {0}, {0}};
  resolve_prop(&r, draft->condition.replaced);
  for (size_t i = 0; i < draft->condition.locations.count; i++) observe(&r, &draft->condition.locations.at[i]);
  collect_observables(&r, &own);
  draft->reader.diags = diags;
  draft->reader.failed = false;
  return own;
}
