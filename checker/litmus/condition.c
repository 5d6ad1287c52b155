/* SPDX-License-Identifier: MIT */
/* Conditions, read as syntax; condition_names.c looks names up once the program is there.
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
#include <string.h>

#include "checker/base/array.h"
#include "checker/litmus/test_draft.h"

enum { NESTING_LIMIT = 256 };

struct parser {
  struct draft *draft;
  struct reader *reader;
  unsigned depth;
};

/* --- operands -------------------------------------------------------------------- */

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
  if (draft_skip_thread(p->reader, &operand.number)) {
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
  return ARENA_MAKE(p->reader->arena, struct syntax_prop, .kind = kind, .a = a, .b = b);
}

static bool parse_compare(struct parser *p, enum compare *compare) {
  for (const struct comparison_word *word = comparison_words; word->text; word++)
    if (reader_skip(p->reader, word->text)) {
      *compare = word->compare;
      return true;
    }
  return reader_fail_expected(p->reader, "a comparison such as '='");
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

const struct syntax_prop *draft_join(struct arena *arena, enum prop_kind kind, const struct syntax_prop *const *parts,
                                     size_t count) {
  size_t half = count / 2;
  if (count < 2) return count ? parts[0] : NULL;
  return ARENA_MAKE(arena, struct syntax_prop, .kind = kind, .a = draft_join(arena, kind, parts, half),
                    .b = draft_join(arena, kind, parts + half, count - half));
}

/* `{1, 2}` after `a=`: a comparison of each cell. */
static const struct syntax_prop *parse_cells(struct parser *p, const struct syntax_operand *array) {
  VEC(const struct syntax_prop *) parts = {0};
  VEC(struct syntax_operand) values = {0};
  struct arena *arena = p->reader->arena;
  do {
    reader_skip(p->reader, "&");
    const struct token *first = p->reader->token;
    struct syntax_operand value = parse_operand(p), cell = *array;
    if (value.kind == OPERAND_REGISTER || value.cell || token_is(first, "[") || token_is(first, "*"))
      reader_fail(p->reader, value.span, "an array's values are numbers and addresses");
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
  *all = *draft_join(arena, PROP_AND, parts.at, parts.count);
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
    bool equal = prop->compare == CMP_EQ, array = prop->left.kind == OPERAND_LOCATION && !prop->left.cell;
    if (array && (equal || prop->compare == CMP_NE) && reader_skip(p->reader, "{")) {
      const struct syntax_prop *cells = parse_cells(p, &prop->left);
      return equal ? cells : new_prop(p, PROP_NOT, cells, NULL);
    }
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
  for (size_t i = 0; i < ARRAY_COUNT(words); i++)
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

static const struct syntax_prop *parse_chain(struct parser *p, enum prop_kind kind, const char *separator,
                                             const struct syntax_prop *(*part)(struct parser *)) {
  VEC(const struct syntax_prop *) parts = {0};
  do *vec_push(p->reader->arena, &parts) = part(p);
  while (reader_skip(p->reader, separator));
  return draft_join(p->reader->arena, kind, parts.at, parts.count);
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
  return atoms.count ? draft_join(p->reader->arena, PROP_AND, atoms.at, atoms.count)
                     : new_prop(p, PROP_TRUE, NULL, NULL);
}

bool draft_at_condition(const struct draft *draft) {
  static const char *const words[] = {"filter", "locations", "exists", "forall", "final", "observed", "~"};
  const struct token *token = draft->reader.token;
  for (size_t i = 0; i < ARRAY_COUNT(words); i++)
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
