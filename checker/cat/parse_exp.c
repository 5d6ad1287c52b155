/* SPDX-License-Identifier: MIT */
/* Expressions and bindings, by recursive descent: the grammar above each
 * function, precedences as in herd7's modelParser.mly (loosest first):
 *
 *     |    ++    ;    \    &    * + ? ~ (and r*s)    ^-1    application
 *
 * The 2015 herd's words are accepted, too: `!S`, `s^2`.
 */
#include "checker/base/array.h"
#include "checker/base/vec.h"
#include "checker/cat/parser_tokens.h"

/* ---- building -------------------------------------------------------- */

struct exp *exp_new(struct parser *p, enum exp_kind kind, uint32_t start) {
  return ARENA_MAKE(p->arena, struct exp, .kind = kind, .source = p->source, .span = parser_since(p, start));
}

static struct exp *exp_unary(struct parser *p, enum exp_kind kind, const struct exp *a, uint32_t start) {
  struct exp *exp = exp_new(p, kind, start);
  exp->a = a;
  return exp;
}

struct exp *exp_binary(struct parser *p, enum exp_kind kind, const struct exp *a, const struct exp *b) {
  struct exp *exp = exp_new(p, kind, a->span.at);
  exp->a = a;
  exp->b = b;
  return exp;
}

struct exp *exp_list_of(struct parser *p, enum exp_kind kind, exp_list *items, uint32_t start) {
  struct exp *exp = exp_new(p, kind, start);
  exp->items = items->at;
  exp->item_count = (unsigned)items->count;
  return exp;
}

/* ---- patterns and bindings ------------------------------------------- */

/* pat0 = NAME | "_" */
static bool parse_pat0(struct parser *p, symbol_list *names) {
  if (!parser_at(p, TOK_NAME) && !parser_at(p, TOK_UNDERSCORE)) {
    parser_fail(p, "a name");
    return false;
  }
  const struct token *token = parser_take(p);
  *vec_push(p->arena, names) = token->kind == TOK_NAME ? parser_symbol(p, token) : NULL;
  return true;
}

static struct pattern pattern_of(const symbol_list *names, bool tuple) {
  return (struct pattern){tuple && names->count != 1, (unsigned)names->count, names->at};
}

/* formals = [pat0 ("," pat0)*] */
static bool parse_formals(struct parser *p, symbol_list *names) {
  if (parser_at(p, TOK_RPAR)) return true;
  do {
    if (!parse_pat0(p, names)) return false;
  } while (parser_try(p, TOK_COMMA));
  return true;
}

/* argument = "(" formals ")" | pat0 */
bool parse_argument(struct parser *p, struct pattern *pattern) {
  symbol_list names = {0};
  bool tuple = parser_try(p, TOK_LPAR);
  if (tuple ? !parse_formals(p, &names) || !parser_expect(p, TOK_RPAR) : !parse_pat0(p, &names)) return false;
  *pattern = pattern_of(&names, tuple);
  return true;
}

static const struct exp *new_function(struct parser *p, struct symbol *name, const struct pattern *arguments,
                                      size_t count, const struct exp *body) {
  while (count) {
    struct exp *function = exp_new(p, EXP_FUN, body->span.at);
    function->symbol = name;
    function->pattern = arguments[--count];
    function->a = body;
    body = function;
  }
  return body;
}

/* binding = "(" formals ")" "=" exp | pat0 ("," pat0)* "=" exp | NAME argument+ "=" exp */
static bool parse_binding(struct parser *p, struct binding_syntax *binding) {
  symbol_list names = {0};
  VEC(struct pattern) arguments = {0};
  uint32_t start = p->token->span.at;
  bool tuple = parser_try(p, TOK_LPAR);
  if (tuple) {
    if (!parse_formals(p, &names) || !parser_expect(p, TOK_RPAR)) return false;
  } else if (!parse_pat0(p, &names)) {
    return false;
  } else if (parser_at(p, TOK_COMMA)) {
    tuple = true;
    while (parser_try(p, TOK_COMMA))
      if (!parse_pat0(p, &names)) return false;
  } else {
    while (names.at[0] && (parser_at(p, TOK_NAME) || parser_at(p, TOK_UNDERSCORE) || parser_at(p, TOK_LPAR)))
      if (!parse_argument(p, vec_push(p->arena, &arguments))) return false;
  }
  binding->span = parser_since(p, start);
  binding->pattern = pattern_of(&names, tuple);
  if (!parser_expect(p, TOK_EQUAL)) return false;
  const struct exp *body = parse_exp(p);
  if (!body) return false;
  binding->body = new_function(p, names.count ? names.at[0] : NULL, arguments.at, arguments.count, body);
  return true;
}

/* The last of bindings: does it have no name that is bound at the same time? */
static bool is_bound_once(struct parser *p, const struct binding_syntax *bindings, size_t count) {
  const struct binding_syntax *last = &bindings[count - 1];
  for (size_t b = 0; b < count; b++)
    for (unsigned i = 0; i < bindings[b].pattern.count; i++)
      for (unsigned k = b == count - 1 ? i + 1 : 0; k < last->pattern.count; k++) {
        const struct symbol *name = last->pattern.names[k];
        if (!name || name != bindings[b].pattern.names[i]) continue;
        return diag_error(p->diags, p->source, last->span, "'%s' is bound twice by one `let`", name->text);
      }
  return true;
}

/* bindings = ["rec"] binding ("and" binding)* */
bool parse_bindings(struct parser *p, bool *recursive, struct binding_syntax **bindings, unsigned *count) {
  VEC(struct binding_syntax) list = {0};
  *recursive = parser_try(p, KW_REC);
  do {
    if (!parse_binding(p, vec_push(p->arena, &list)) || !is_bound_once(p, list.at, list.count)) return false;
  } while (parser_try(p, KW_AND));
  *bindings = list.at;
  *count = (unsigned)list.count;
  return true;
}

/* ---- expressions ----------------------------------------------------- */

/* args = [base ("," base)*] */
bool parse_args(struct parser *p, int closing, exp_list *items) {
  if (parser_at(p, closing)) return true;
  do {
    const struct exp *item = parse_exp(p);
    if (!item) return false;
    *vec_push(p->arena, items) = item;
  } while (parser_try(p, TOK_COMMA));
  return true;
}

/* "(" args ")": the empty and the longer ones are tuples. */
static const struct exp *parse_parenthesis(struct parser *p) {
  uint32_t start = parser_take(p)->span.at;
  exp_list items = {0};
  if (!parse_args(p, TOK_RPAR, &items) || !parser_expect_closing(p, TOK_RPAR, (struct span){start, 1})) return NULL;
  return items.count == 1 ? items.at[0] : exp_list_of(p, EXP_TUPLE, &items, start);
}

/* simple = "0" | "_" | TAG | "{" args "}" | "(" args ")" | "begin" exp "end" | "[" exp "]" */
static const struct exp *parse_simple(struct parser *p) {
  uint32_t start = p->token->span.at;
  if (parser_at(p, TOK_LPAR)) return parse_parenthesis(p);
  if (parser_at(p, TOK_TAG)) {
    const struct token *token = parser_take(p);
    struct exp *tag = exp_new(p, EXP_TAG, start);
    tag->symbol = parser_symbol(p, token);
    return tag;
  }
  if (parser_try(p, TOK_ZERO)) return exp_new(p, EXP_EMPTY, start);
  if (parser_try(p, TOK_UNDERSCORE)) return exp_new(p, EXP_UNIVERSE, start);
  if (parser_try(p, TOK_LBRACE)) {
    exp_list items = {0};
    if (!parse_args(p, TOK_RBRACE, &items) || !parser_expect_closing(p, TOK_RBRACE, (struct span){start, 1}))
      return NULL;
    return exp_list_of(p, EXP_SET, &items, start);
  }
  if (parser_try(p, TOK_LBRACKET)) {
    const struct exp *a = parse_exp(p);
    return a && parser_expect_closing(p, TOK_RBRACKET, (struct span){start, 1}) ? exp_unary(p, EXP_TOID, a, start)
                                                                                : NULL;
  }
  if (parser_try(p, KW_BEGIN)) {
    const struct exp *a = parse_exp(p);
    return a && parser_expect_closing(p, KW_END, (struct span){start, 5}) ? a : NULL;
  }
  return parser_fail(p, "a set or relation");
}

static const struct exp *parse_name(struct parser *p) {
  uint32_t start = p->token->span.at;
  const struct token *token = parser_take(p);
  struct exp *name = exp_new(p, EXP_NAME, start);
  name->symbol = parser_symbol(p, token);
  return name;
}

static bool starts_simple(int kind) {
  return kind == TOK_ZERO || kind == TOK_UNDERSCORE || kind == TOK_TAG || kind == TOK_LBRACE || kind == TOK_LPAR ||
         kind == TOK_LBRACKET || kind == KW_BEGIN;
}

static bool at_simple(const struct parser *p) {
  return starts_simple(p->token->kind);
}

/* application = NAME (NAME | simple)* | simple */
static const struct exp *parse_application(struct parser *p) {
  if (!parser_at(p, TOK_NAME)) return parse_simple(p);
  const struct exp *function = parse_name(p);
  while (function && (parser_at(p, TOK_NAME) || at_simple(p))) {
    const struct exp *argument = parser_at(p, TOK_NAME) ? parse_name(p) : parse_simple(p);
    function = argument ? exp_binary(p, EXP_APPLY, function, argument) : NULL;
  }
  return function;
}

/* Can an operand start here? Tells r* (closure) from r*s (product); a `~` may
 * also begin the next statement, a negated test. */
static bool at_operand(const struct parser *p) {
  const struct token *token = p->token;
  while (token->kind == TOK_TILDE || token->kind == TOK_BANG) token++;
  return token->kind == TOK_NAME || starts_simple(token->kind);
}

/* postfix = application ("^-1" | "^2" | "^+" | "^*" | "^?" | "+" | "?" | "*" not before an operand)* */
static const struct exp *parse_postfix(struct parser *p) {
  uint32_t start = p->token->span.at;
  const struct exp *a = parse_application(p);
  while (a) {
    enum exp_kind kind;
    switch (p->token->kind) {
      case TOK_INVERSE:
        kind = EXP_INVERSE;
        break;
      case TOK_SQUARE:
        kind = EXP_SQUARE;
        break;
      case TOK_PLUS:
      case TOK_HAT_PLUS:
        kind = EXP_PLUS;
        break;
      case TOK_QUESTION:
      case TOK_HAT_OPT:
        kind = EXP_OPT;
        break;
      case TOK_STAR:
        p->token++;
        bool product = at_operand(p);
        p->token--;
        if (product) return a;
        kind = EXP_STAR;
        break;
      case TOK_HAT_STAR:
        kind = EXP_STAR;
        break;
      default:
        return a;
    }
    parser_take(p);
    a = exp_unary(p, kind, a, start);
  }
  return a;
}

/* prefix = ("~" | "!") prefix | postfix */
static const struct exp *parse_prefix(struct parser *p) {
  if (!parser_at(p, TOK_TILDE) && !parser_at(p, TOK_BANG)) return parse_postfix(p);
  uint32_t start = parser_take(p)->span.at;
  if (!parser_enter(p)) return NULL;
  const struct exp *a = parse_prefix(p);
  parser_leave(p);
  return a ? exp_unary(p, EXP_COMPL, a, start) : NULL;
}

/* operand (TOKEN operand)*, grouped to the left */
static const struct exp *parse_left(struct parser *p, int token, enum exp_kind kind,
                                    const struct exp *(*operand)(struct parser *)) {
  const struct exp *left = operand(p);
  while (left && parser_try(p, token)) {
    const struct exp *right = operand(p);
    left = right ? exp_binary(p, kind, left, right) : NULL;
  }
  return left;
}

/* product = prefix ("*" prefix)* */
static const struct exp *parse_product(struct parser *p) {
  return parse_left(p, TOK_STAR, EXP_CROSS, parse_prefix);
}

/* operand (TOKEN operand)*, one tree node for the whole chain */
static const struct exp *parse_chain(struct parser *p, int token, enum exp_kind kind,
                                     const struct exp *(*operand)(struct parser *)) {
  uint32_t start = p->token->span.at;
  const struct exp *first = operand(p);
  if (!first || !parser_at(p, token)) return first;
  exp_list items = {0};
  *vec_push(p->arena, &items) = first;
  while (parser_try(p, token)) {
    const struct exp *next = operand(p);
    if (!next) return NULL;
    *vec_push(p->arena, &items) = next;
  }
  return exp_list_of(p, kind, &items, start);
}

/* intersection = product ("&" product)* */
static const struct exp *parse_intersection(struct parser *p) {
  return parse_chain(p, TOK_AMP, EXP_INTER, parse_product);
}

/* difference = intersection ("\" intersection)* */
static const struct exp *parse_difference(struct parser *p) {
  return parse_left(p, TOK_BACKSLASH, EXP_DIFF, parse_intersection);
}

/* sequence = difference (";" difference)* */
static const struct exp *parse_sequence(struct parser *p) {
  return parse_chain(p, TOK_SEMI, EXP_SEQ, parse_difference);
}

/* addition = sequence ["++" addition] */
static const struct exp *parse_addition(struct parser *p) {
  const struct exp *left = parse_sequence(p);
  if (!left || !parser_try(p, TOK_PLUSPLUS)) return left;
  if (!parser_enter(p)) return NULL;
  const struct exp *right = parse_addition(p);
  parser_leave(p);
  return right ? exp_binary(p, EXP_ADD, left, right) : NULL;
}

/* base = addition ("|" addition)* */
const struct exp *parse_base(struct parser *p) {
  return parse_chain(p, TOK_BAR, EXP_UNION, parse_addition);
}

/* "let" bindings "in" exp */
static const struct exp *parse_let(struct parser *p) {
  uint32_t start = parser_take(p)->span.at;
  bool recursive;
  struct binding_syntax *bindings;
  unsigned count;
  if (!parse_bindings(p, &recursive, &bindings, &count) || !parser_expect(p, KW_IN)) return NULL;
  const struct exp *body = parse_exp(p);
  if (!body) return NULL;
  struct exp *let = exp_unary(p, EXP_LET, body, start);
  let->recursive = recursive;
  let->bindings = bindings;
  let->binding_count = count;
  return let;
}

/* "fun" argument "->" exp */
static const struct exp *parse_fun(struct parser *p) {
  parser_take(p);
  struct pattern argument;
  if (!parse_argument(p, &argument) || !parser_expect(p, TOK_ARROW)) return NULL;
  const struct exp *body = parse_exp(p);
  return body ? new_function(p, NULL, &argument, 1, body) : NULL;
}

/* "try" exp "with" exp */
static const struct exp *parse_try(struct parser *p) {
  uint32_t start = parser_take(p)->span.at;
  const struct exp *a = parse_exp(p);
  if (!a || !parser_expect(p, KW_WITH)) return NULL;
  const struct exp *b = parse_exp(p);
  if (!b) return NULL;
  struct exp *try = exp_unary(p, EXP_TRY, a, start);
  try->b = b;
  return try;
}

/* "if" condition "then" exp "else" exp */
static const struct exp *parse_if(struct parser *p) {
  uint32_t start = parser_take(p)->span.at;
  const struct condition *condition = parse_condition(p);
  if (!condition || !parser_expect(p, KW_THEN)) return NULL;
  const struct exp *a = parse_exp(p);
  if (!a || !parser_expect(p, KW_ELSE)) return NULL;
  const struct exp *b = parse_exp(p);
  if (!b) return NULL;
  struct exp *conditional = exp_unary(p, EXP_IF, a, start);
  conditional->b = b;
  conditional->condition = condition;
  return conditional;
}

/* set-clause = "{" "}" "->" exp | pat0 "++" pat0 "->" exp | pat0 "|" pat0 "++" pat0 "->" exp */
static bool parse_set_clause(struct parser *p, struct exp *match) {
  if (parser_try(p, TOK_LBRACE)) {
    if (match->b) return parser_fail(p, "the clause for elements, `x ++ rest`");
    return parser_expect(p, TOK_RBRACE) && parser_expect(p, TOK_ARROW) && (match->b = parse_exp(p));
  }
  if (match->c) return parser_fail(p, "the clause for the empty set, '{}'");
  symbol_list names = {0};
  if (!parse_pat0(p, &names)) return false;
  if (parser_try(p, TOK_BAR) && !parse_pat0(p, &names)) return false;
  if (!parser_expect(p, TOK_PLUSPLUS) || !parse_pat0(p, &names) || !parser_expect(p, TOK_ARROW)) return false;
  match->pattern = pattern_of(&names, true);
  return (match->c = parse_exp(p));
}

/* clause = (TAG | "_") "->" exp */
static bool parse_clause(struct parser *p, struct clause *clause) {
  if (parser_at(p, TOK_TAG))
    clause->tag = parser_symbol(p, parser_take(p));
  else if (!parser_expect(p, TOK_UNDERSCORE))
    return false;
  return parser_expect(p, TOK_ARROW) && (clause->body = parse_exp(p));
}

/* "match" exp "with" ["||"] (clause ("||" clause)* | set-clause "||" set-clause) "end" */
static const struct exp *parse_match(struct parser *p) {
  uint32_t start = parser_take(p)->span.at;
  const struct exp *a = parse_exp(p);
  if (!a || !parser_expect(p, KW_WITH)) return NULL;
  parser_try(p, TOK_BARBAR);
  struct exp *match = exp_unary(p, EXP_MATCH, a, start);
  if (parser_at(p, TOK_LBRACE) || parser_at(p, TOK_NAME) ||
      (parser_at(p, TOK_UNDERSCORE) && p->token[1].kind != TOK_ARROW)) {
    match->kind = EXP_MATCH_SET;
    if (!parse_set_clause(p, match) || !parser_expect(p, TOK_BARBAR) || !parse_set_clause(p, match)) return NULL;
  } else {
    VEC(struct clause) clauses = {0};
    do {
      if (!parse_clause(p, vec_push(p->arena, &clauses))) return NULL;
    } while (clauses.at[clauses.count - 1].tag && parser_try(p, TOK_BARBAR));
    match->clauses = clauses.at;
    match->clause_count = (unsigned)clauses.count;
  }
  if (!parser_expect_closing(p, KW_END, (struct span){start, 5})) return NULL;
  match->span = parser_since(p, start);
  return match;
}

static const struct exp *parse_exp_here(struct parser *p) {
  static const struct exp *(*const PARSE[])(struct parser * p) = {
      [KW_LET] = parse_let, [KW_FUN] = parse_fun, [KW_TRY] = parse_try, [KW_IF] = parse_if, [KW_MATCH] = parse_match};
  unsigned kind = (unsigned)p->token->kind;
  return (kind < ARRAY_COUNT(PARSE) && PARSE[kind] ? PARSE[kind] : parse_base)(p);
}

/* exp = let | fun | try | if | match | base */
const struct exp *parse_exp(struct parser *p) {
  if (!parser_enter(p)) return NULL;
  const struct exp *exp = parse_exp_here(p);
  parser_leave(p);
  return exp;
}

/* tuple = exp ("," exp)*, where herd allows one without parentheses */
const struct exp *parse_tuple(struct parser *p) {
  return parse_chain(p, TOK_COMMA, EXP_TUPLE, parse_exp);
}
