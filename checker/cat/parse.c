/* SPDX-License-Identifier: MIT */
/* The parser: recursive descent over the token array, the grammar above each
 * function, precedences as in herd7's modelParser.mly (loosest first):
 *
 *     |    ++    ;    \    &    * + ? ~ (and r*s)    ^-1    application
 *
 * The 2015 herd's words are accepted beside: `!S`, `s^2`, `withoutco`,
 * `foreach`, `fororder x in E from r`, `checkcall`.
 */
#include <string.h>

#include "checker/base/vec.h"
#include "checker/cat/lex.h"
#include "checker/cat/syntax.h"

/* Deeper nesting than any model has; keeps the recursion within small stacks. */
enum { DEPTH_LIMIT = 400 };

struct parser {
  struct arena *arena;
  struct symbols *symbols;
  const struct source *source;
  struct diags *diags;
  const struct token *token;
  const struct token *statement; /* where the last whole statement began */
  uint32_t last_end;             /* end of the last token taken */
  unsigned depth;
};

typedef VEC(const struct exp *) exp_list;
typedef VEC(struct symbol *) symbol_list;

static const struct exp *parse_exp(struct parser *p);
static const struct exp *parse_base(struct parser *p);
static const struct statement *parse_statement(struct parser *p);

/* ---- tokens ---------------------------------------------------------- */

static bool at(const struct parser *p, int kind) {
  return p->token->kind == kind;
}

static const struct token *take(struct parser *p) {
  const struct token *token = p->token;
  if (token->kind != TOK_END) p->token++;
  p->last_end = token->span.at + token->span.length + (token->kind == TOK_STRING);
  return token;
}

static bool try_take(struct parser *p, int kind) {
  if (!at(p, kind)) return false;
  take(p);
  return true;
}

static void *fail(struct parser *p, const char *expected) {
  diag_error(p->diags, p->source, p->token->span, "expected %s, found %s", expected, token_name(p->token->kind));
  return NULL;
}

static bool expect(struct parser *p, int kind) {
  if (try_take(p, kind)) return true;
  fail(p, token_name(kind));
  return false;
}

/* As expect, for what closes the bracket or block opened at `open`. */
static bool expect_closing(struct parser *p, int kind, struct span open) {
  if (expect(p, kind)) return true;
  diag_note(p->diags, p->source, open, "opened here");
  return false;
}

static struct symbol *symbol_of(struct parser *p, const struct token *token) {
  return symbols_intern(p->symbols, p->source->text + token->span.at, token->span.length);
}

static struct symbol *take_name(struct parser *p, const char *expected) {
  if (!at(p, TOK_NAME)) return fail(p, expected);
  return symbol_of(p, take(p));
}

static const char *text_of(struct parser *p, const struct token *token) {
  return arena_strndup(p->arena, p->source->text + token->span.at, token->span.length);
}

static struct span since(const struct parser *p, uint32_t start) {
  return (struct span){start, p->last_end > start ? p->last_end - start : 0};
}

static bool enter(struct parser *p) {
  if (++p->depth <= DEPTH_LIMIT) return true;
  diag_error(p->diags, p->source, p->token->span, "nested more than %d levels deep", DEPTH_LIMIT);
  return false;
}

static void leave(struct parser *p) {
  p->depth--;
}

/* ---- building -------------------------------------------------------- */

static struct exp *new_exp(struct parser *p, enum exp_kind kind, uint32_t start) {
  struct exp *exp = ARENA_NEW(p->arena, struct exp);
  exp->kind = kind;
  exp->source = p->source;
  exp->span = since(p, start);
  return exp;
}

static struct exp *new_unary(struct parser *p, enum exp_kind kind, const struct exp *a, uint32_t start) {
  struct exp *exp = new_exp(p, kind, start);
  exp->a = a;
  return exp;
}

static struct exp *new_binary(struct parser *p, enum exp_kind kind, const struct exp *a, const struct exp *b) {
  struct exp *exp = new_exp(p, kind, a->span.at);
  exp->a = a;
  exp->b = b;
  return exp;
}

static struct exp *new_list(struct parser *p, enum exp_kind kind, exp_list *items, uint32_t start) {
  struct exp *exp = new_exp(p, kind, start);
  exp->items = items->at;
  exp->item_count = (unsigned)items->count;
  return exp;
}

/* ---- patterns and bindings ------------------------------------------- */

/* pat0 = NAME | "_" */
static bool parse_pat0(struct parser *p, symbol_list *names) {
  if (!at(p, TOK_NAME) && !at(p, TOK_UNDERSCORE)) {
    fail(p, "a name");
    return false;
  }
  const struct token *token = take(p);
  *vec_push(p->arena, names) = token->kind == TOK_NAME ? symbol_of(p, token) : NULL;
  return true;
}

static struct pattern pattern_of(const symbol_list *names, bool tuple) {
  return (struct pattern){tuple && names->count != 1, (unsigned)names->count, names->at};
}

/* formals = [pat0 ("," pat0)*] */
static bool parse_formals(struct parser *p, symbol_list *names) {
  if (at(p, TOK_RPAR)) return true;
  do {
    if (!parse_pat0(p, names)) return false;
  } while (try_take(p, TOK_COMMA));
  return true;
}

/* argument = "(" formals ")" | pat0 */
static bool parse_argument(struct parser *p, struct pattern *pattern) {
  symbol_list names = {0};
  bool tuple = try_take(p, TOK_LPAR);
  if (tuple ? !parse_formals(p, &names) || !expect(p, TOK_RPAR) : !parse_pat0(p, &names)) return false;
  *pattern = pattern_of(&names, tuple);
  return true;
}

static const struct exp *new_function(struct parser *p, struct symbol *name, const struct pattern *arguments,
                                      size_t count, const struct exp *body) {
  while (count) {
    struct exp *function = new_exp(p, EXP_FUN, body->span.at);
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
  bool tuple = try_take(p, TOK_LPAR);
  if (tuple) {
    if (!parse_formals(p, &names) || !expect(p, TOK_RPAR)) return false;
  } else if (!parse_pat0(p, &names)) {
    return false;
  } else if (at(p, TOK_COMMA)) {
    tuple = true;
    while (try_take(p, TOK_COMMA))
      if (!parse_pat0(p, &names)) return false;
  } else {
    while (names.at[0] && (at(p, TOK_NAME) || at(p, TOK_UNDERSCORE) || at(p, TOK_LPAR)))
      if (!parse_argument(p, vec_push(p->arena, &arguments))) return false;
  }
  binding->span = since(p, start);
  binding->pattern = pattern_of(&names, tuple);
  if (!expect(p, TOK_EQUAL)) return false;
  const struct exp *body = parse_exp(p);
  if (!body) return false;
  binding->body = new_function(p, names.count ? names.at[0] : NULL, arguments.at, arguments.count, body);
  return true;
}

/* bindings = ["rec"] binding ("and" binding)* */
static bool parse_bindings(struct parser *p, bool *recursive, struct binding_syntax **bindings, unsigned *count) {
  VEC(struct binding_syntax) list = {0};
  *recursive = try_take(p, KW_REC);
  do {
    if (!parse_binding(p, vec_push(p->arena, &list))) return false;
  } while (try_take(p, KW_AND));
  *bindings = list.at;
  *count = (unsigned)list.count;
  return true;
}

/* ---- conditions ------------------------------------------------------ */

static const struct condition *parse_variants(struct parser *p);

static struct condition *new_condition(struct parser *p, enum condition_kind kind, const struct condition *a,
                                       const struct condition *b) {
  struct condition *condition = ARENA_NEW(p->arena, struct condition);
  condition->kind = kind;
  condition->a = a;
  condition->b = b;
  return condition;
}

static void note_variant(struct symbols *symbols, const char *word) {
  for (size_t i = 0; i < symbols->variants.count; i++)
    if (!strcmp(symbols->variants.at[i], word)) return;
  *vec_push(symbols->arena, &symbols->variants) = word;
}

/* variant = ["variant"] STRING | ("not" | "!" | "~") variant | "(" variants ")" */
static const struct condition *parse_variant(struct parser *p) {
  if (!enter(p)) return NULL;
  const struct condition *result = NULL;
  if (at(p, KW_NOT) || at(p, TOK_BANG) || at(p, TOK_TILDE)) {
    take(p);
    const struct condition *a = parse_variant(p);
    result = a ? new_condition(p, COND_NOT, a, NULL) : NULL;
  } else if (try_take(p, TOK_LPAR)) {
    const struct condition *a = parse_variants(p);
    result = a && expect(p, TOK_RPAR) ? a : NULL;
  } else {
    try_take(p, KW_VARIANT);
    if (!at(p, TOK_STRING)) return fail(p, "the name of a variant, in double quotes");
    struct condition *variant = new_condition(p, COND_VARIANT, NULL, NULL);
    variant->span = p->token->span;
    variant->variant = text_of(p, take(p));
    note_variant(p->symbols, variant->variant);
    result = variant;
  }
  leave(p);
  return result;
}

/* conjunction = variant ("&&" variant)* */
static const struct condition *parse_conjunction(struct parser *p) {
  const struct condition *left = parse_variant(p);
  while (left && try_take(p, TOK_AMPAMP)) {
    const struct condition *right = parse_variant(p);
    left = right ? new_condition(p, COND_AND, left, right) : NULL;
  }
  return left;
}

/* variants = conjunction ("||" conjunction)* */
static const struct condition *parse_variants(struct parser *p) {
  const struct condition *left = parse_conjunction(p);
  while (left && try_take(p, TOK_BARBAR)) {
    const struct condition *right = parse_conjunction(p);
    left = right ? new_condition(p, COND_OR, left, right) : NULL;
  }
  return left;
}

/* Does a condition on variants start here? A parenthesis may open either kind. */
static bool at_variant(const struct parser *p) {
  const struct token *token = p->token;
  while (token->kind == TOK_LPAR || token->kind == TOK_BANG || token->kind == TOK_TILDE || token->kind == KW_NOT)
    token++;
  return token->kind == TOK_STRING || token->kind == KW_VARIANT;
}

/* condition = variants | exp ("=" | "subset" | "in") exp */
static const struct condition *parse_condition(struct parser *p) {
  if (at_variant(p)) return parse_variants(p);
  uint32_t start = p->token->span.at;
  const struct exp *left = parse_exp(p);
  if (!left) return NULL;
  enum condition_kind kind = COND_EQUAL;
  if (try_take(p, KW_SUBSET))
    kind = COND_SUBSET;
  else if (try_take(p, KW_IN))
    kind = COND_IN;
  else if (!try_take(p, TOK_EQUAL))
    return fail(p, "'=', 'subset' or 'in'");
  const struct exp *right = parse_exp(p);
  if (!right) return NULL;
  struct condition *condition = new_condition(p, kind, NULL, NULL);
  condition->left = left;
  condition->right = right;
  condition->span = since(p, start);
  return condition;
}

/* ---- expressions ----------------------------------------------------- */

/* args = [base ("," base)*] */
static bool parse_args(struct parser *p, int closing, exp_list *items) {
  if (at(p, closing)) return true;
  do {
    const struct exp *item = parse_exp(p);
    if (!item) return false;
    *vec_push(p->arena, items) = item;
  } while (try_take(p, TOK_COMMA));
  return true;
}

/* "(" args ")": the empty and the longer ones are tuples. */
static const struct exp *parse_parenthesis(struct parser *p) {
  uint32_t start = take(p)->span.at;
  exp_list items = {0};
  if (!parse_args(p, TOK_RPAR, &items) || !expect_closing(p, TOK_RPAR, (struct span){start, 1})) return NULL;
  return items.count == 1 ? items.at[0] : new_list(p, EXP_TUPLE, &items, start);
}

/* simple = "0" | "_" | TAG | "{" args "}" | "(" args ")" | "begin" exp "end" | "[" exp "]" */
static const struct exp *parse_simple(struct parser *p) {
  uint32_t start = p->token->span.at;
  if (at(p, TOK_LPAR)) return parse_parenthesis(p);
  if (at(p, TOK_TAG)) {
    const struct token *token = take(p);
    struct exp *tag = new_exp(p, EXP_TAG, start);
    tag->symbol = symbol_of(p, token);
    return tag;
  }
  if (try_take(p, TOK_ZERO)) return new_exp(p, EXP_EMPTY, start);
  if (try_take(p, TOK_UNDERSCORE)) return new_exp(p, EXP_UNIVERSE, start);
  if (try_take(p, TOK_LBRACE)) {
    exp_list items = {0};
    if (!parse_args(p, TOK_RBRACE, &items) || !expect_closing(p, TOK_RBRACE, (struct span){start, 1})) return NULL;
    return new_list(p, EXP_SET, &items, start);
  }
  if (try_take(p, TOK_LBRACKET)) {
    const struct exp *a = parse_exp(p);
    return a && expect_closing(p, TOK_RBRACKET, (struct span){start, 1}) ? new_unary(p, EXP_TOID, a, start) : NULL;
  }
  if (try_take(p, KW_BEGIN)) {
    const struct exp *a = parse_exp(p);
    return a && expect_closing(p, KW_END, (struct span){start, 5}) ? a : NULL;
  }
  return fail(p, "a set or relation");
}

static const struct exp *parse_name(struct parser *p) {
  uint32_t start = p->token->span.at;
  const struct token *token = take(p);
  struct exp *name = new_exp(p, EXP_NAME, start);
  name->symbol = symbol_of(p, token);
  return name;
}

static bool starts_simple(int kind) {
  switch (kind) {
    case TOK_ZERO:
    case TOK_UNDERSCORE:
    case TOK_TAG:
    case TOK_LBRACE:
    case TOK_LPAR:
    case TOK_LBRACKET:
    case KW_BEGIN:
      return true;
    default:
      return false;
  }
}

static bool at_simple(const struct parser *p) {
  return starts_simple(p->token->kind);
}

/* application = NAME (NAME | simple)* | simple */
static const struct exp *parse_application(struct parser *p) {
  if (!at(p, TOK_NAME)) return parse_simple(p);
  const struct exp *function = parse_name(p);
  while (function && (at(p, TOK_NAME) || at_simple(p))) {
    const struct exp *argument = at(p, TOK_NAME) ? parse_name(p) : parse_simple(p);
    function = argument ? new_binary(p, EXP_APPLY, function, argument) : NULL;
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
    take(p);
    a = new_unary(p, kind, a, start);
  }
  return a;
}

/* prefix = ("~" | "!") prefix | postfix */
static const struct exp *parse_prefix(struct parser *p) {
  if (!at(p, TOK_TILDE) && !at(p, TOK_BANG)) return parse_postfix(p);
  uint32_t start = take(p)->span.at;
  if (!enter(p)) return NULL;
  const struct exp *a = parse_prefix(p);
  leave(p);
  return a ? new_unary(p, EXP_COMPL, a, start) : NULL;
}

/* product = prefix ("*" prefix)* */
static const struct exp *parse_product(struct parser *p) {
  const struct exp *left = parse_prefix(p);
  while (left && try_take(p, TOK_STAR)) {
    const struct exp *right = parse_prefix(p);
    left = right ? new_binary(p, EXP_CROSS, left, right) : NULL;
  }
  return left;
}

/* operand (TOKEN operand)*, one tree node for the whole chain */
static const struct exp *parse_chain(struct parser *p, int token, enum exp_kind kind,
                                     const struct exp *(*operand)(struct parser *)) {
  uint32_t start = p->token->span.at;
  const struct exp *first = operand(p);
  if (!first || !at(p, token)) return first;
  exp_list items = {0};
  *vec_push(p->arena, &items) = first;
  while (try_take(p, token)) {
    const struct exp *next = operand(p);
    if (!next) return NULL;
    *vec_push(p->arena, &items) = next;
  }
  return new_list(p, kind, &items, start);
}

/* intersection = product ("&" product)* */
static const struct exp *parse_intersection(struct parser *p) {
  return parse_chain(p, TOK_AMP, EXP_INTER, parse_product);
}

/* difference = intersection ("\" intersection)* */
static const struct exp *parse_difference(struct parser *p) {
  const struct exp *left = parse_intersection(p);
  while (left && try_take(p, TOK_BACKSLASH)) {
    const struct exp *right = parse_intersection(p);
    left = right ? new_binary(p, EXP_DIFF, left, right) : NULL;
  }
  return left;
}

/* sequence = difference (";" difference)* */
static const struct exp *parse_sequence(struct parser *p) {
  return parse_chain(p, TOK_SEMI, EXP_SEQ, parse_difference);
}

/* addition = sequence ["++" addition] */
static const struct exp *parse_addition(struct parser *p) {
  const struct exp *left = parse_sequence(p);
  if (!left || !try_take(p, TOK_PLUSPLUS)) return left;
  if (!enter(p)) return NULL;
  const struct exp *right = parse_addition(p);
  leave(p);
  return right ? new_binary(p, EXP_ADD, left, right) : NULL;
}

/* base = addition ("|" addition)* */
static const struct exp *parse_base(struct parser *p) {
  return parse_chain(p, TOK_BAR, EXP_UNION, parse_addition);
}

/* "let" bindings "in" exp */
static const struct exp *parse_let(struct parser *p) {
  uint32_t start = take(p)->span.at;
  bool recursive;
  struct binding_syntax *bindings;
  unsigned count;
  if (!parse_bindings(p, &recursive, &bindings, &count) || !expect(p, KW_IN)) return NULL;
  const struct exp *body = parse_exp(p);
  if (!body) return NULL;
  struct exp *let = new_unary(p, EXP_LET, body, start);
  let->recursive = recursive;
  let->bindings = bindings;
  let->binding_count = count;
  return let;
}

/* "fun" argument "->" exp */
static const struct exp *parse_fun(struct parser *p) {
  take(p);
  struct pattern argument;
  if (!parse_argument(p, &argument) || !expect(p, TOK_ARROW)) return NULL;
  const struct exp *body = parse_exp(p);
  return body ? new_function(p, NULL, &argument, 1, body) : NULL;
}

/* "try" exp "with" exp */
static const struct exp *parse_try(struct parser *p) {
  uint32_t start = take(p)->span.at;
  const struct exp *a = parse_exp(p);
  if (!a || !expect(p, KW_WITH)) return NULL;
  const struct exp *b = parse_exp(p);
  if (!b) return NULL;
  struct exp *try = new_unary(p, EXP_TRY, a, start);
  try->b = b;
  return try;
}

/* "if" condition "then" exp "else" exp */
static const struct exp *parse_if(struct parser *p) {
  uint32_t start = take(p)->span.at;
  const struct condition *condition = parse_condition(p);
  if (!condition || !expect(p, KW_THEN)) return NULL;
  const struct exp *a = parse_exp(p);
  if (!a || !expect(p, KW_ELSE)) return NULL;
  const struct exp *b = parse_exp(p);
  if (!b) return NULL;
  struct exp *conditional = new_unary(p, EXP_IF, a, start);
  conditional->b = b;
  conditional->condition = condition;
  return conditional;
}

/* set-clause = "{" "}" "->" exp | pat0 "++" pat0 "->" exp | pat0 "|" pat0 "++" pat0 "->" exp */
static bool parse_set_clause(struct parser *p, struct exp *match) {
  if (try_take(p, TOK_LBRACE)) {
    if (match->b) return fail(p, "the clause for elements, `x ++ rest`");
    return expect(p, TOK_RBRACE) && expect(p, TOK_ARROW) && (match->b = parse_exp(p));
  }
  if (match->c) return fail(p, "the clause for the empty set, '{}'");
  symbol_list names = {0};
  if (!parse_pat0(p, &names)) return false;
  if (try_take(p, TOK_BAR) && !parse_pat0(p, &names)) return false;
  if (!expect(p, TOK_PLUSPLUS) || !parse_pat0(p, &names) || !expect(p, TOK_ARROW)) return false;
  match->pattern = pattern_of(&names, true);
  return (match->c = parse_exp(p));
}

/* clause = (TAG | "_") "->" exp */
static bool parse_clause(struct parser *p, struct clause *clause) {
  if (at(p, TOK_TAG))
    clause->tag = symbol_of(p, take(p));
  else if (!expect(p, TOK_UNDERSCORE))
    return false;
  return expect(p, TOK_ARROW) && (clause->body = parse_exp(p));
}

/* "match" exp "with" ["||"] (clause ("||" clause)* | set-clause "||" set-clause) "end" */
static const struct exp *parse_match(struct parser *p) {
  uint32_t start = take(p)->span.at;
  const struct exp *a = parse_exp(p);
  if (!a || !expect(p, KW_WITH)) return NULL;
  try_take(p, TOK_BARBAR);
  struct exp *match = new_unary(p, EXP_MATCH, a, start);
  if (at(p, TOK_LBRACE) || at(p, TOK_NAME) || (at(p, TOK_UNDERSCORE) && p->token[1].kind != TOK_ARROW)) {
    match->kind = EXP_MATCH_SET;
    if (!parse_set_clause(p, match) || !expect(p, TOK_BARBAR) || !parse_set_clause(p, match)) return NULL;
  } else {
    VEC(struct clause) clauses = {0};
    do {
      if (!parse_clause(p, vec_push(p->arena, &clauses))) return NULL;
    } while (clauses.at[clauses.count - 1].tag && try_take(p, TOK_BARBAR));
    match->clauses = clauses.at;
    match->clause_count = (unsigned)clauses.count;
  }
  if (!expect_closing(p, KW_END, (struct span){start, 5})) return NULL;
  match->span = since(p, start);
  return match;
}

static const struct exp *parse_exp_here(struct parser *p) {
  switch (p->token->kind) {
    case KW_LET:
      return parse_let(p);
    case KW_FUN:
      return parse_fun(p);
    case KW_TRY:
      return parse_try(p);
    case KW_IF:
      return parse_if(p);
    case KW_MATCH:
      return parse_match(p);
    default:
      return parse_base(p);
  }
}

/* exp = let | fun | try | if | match | base */
static const struct exp *parse_exp(struct parser *p) {
  if (!enter(p)) return NULL;
  const struct exp *exp = parse_exp_here(p);
  leave(p);
  return exp;
}

/* tuple = exp ("," exp)*, where herd allows one without parentheses */
static const struct exp *parse_tuple(struct parser *p) {
  return parse_chain(p, TOK_COMMA, EXP_TUPLE, parse_exp);
}

/* ---- statements ------------------------------------------------------ */

static struct statement *new_statement(struct parser *p, enum statement_kind kind) {
  struct statement *statement = ARENA_NEW(p->arena, struct statement);
  statement->kind = kind;
  statement->source = p->source;
  statement->span = p->token->span;
  return statement;
}

static bool at_test(const struct parser *p) {
  switch (p->token->kind) {
    case KW_ACYCLIC:
    case KW_IRREFLEXIVE:
    case KW_EMPTY:
    case TOK_TILDE:
    case KW_NOT:
      return true;
    default:
      return false;
  }
}

/* test = ("~" | "not")* ("acyclic" | "irreflexive" | "empty") exp ["as" NAME] */
static struct test_syntax *parse_test(struct parser *p, enum test_role role) {
  struct test_syntax *test = ARENA_NEW(p->arena, struct test_syntax);
  uint32_t start = p->token->span.at;
  test->role = role;
  while (try_take(p, TOK_TILDE) || try_take(p, KW_NOT)) test->negated = !test->negated;
  if (try_take(p, KW_ACYCLIC))
    test->kind = TEST_ACYCLIC;
  else if (try_take(p, KW_IRREFLEXIVE))
    test->kind = TEST_IRREFLEXIVE;
  else if (try_take(p, KW_EMPTY))
    test->kind = TEST_EMPTY;
  else
    return fail(p, "'acyclic', 'irreflexive' or 'empty'");
  if (!(test->body = parse_tuple(p))) return NULL;
  test->span = since(p, start);
  if (try_take(p, KW_AS) && !(test->name = take_name(p, "a name for the check"))) return NULL;
  return test;
}

static const struct statement *parse_test_statement(struct parser *p, enum test_role role) {
  struct statement *statement = new_statement(p, STMT_TEST);
  if (role != TEST_REQUIRE) take(p);
  statement->test = parse_test(p, role);
  return statement->test ? statement : NULL;
}

/* "let" bindings ["when" test] ["in"] */
static const struct statement *parse_let_statement(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_LET);
  take(p);
  if (!parse_bindings(p, &statement->recursive, &statement->bindings, &statement->binding_count)) return NULL;
  if (statement->recursive && try_take(p, KW_WHEN) && !(statement->test = parse_test(p, TEST_REQUIRE))) return NULL;
  try_take(p, KW_IN);
  return statement;
}

/* names = NAME ("," NAME)* */
static bool parse_names(struct parser *p, struct statement *statement) {
  symbol_list names = {0};
  VEC(struct span) spans = {0};
  do {
    *vec_push(p->arena, &spans) = p->token->span;
    struct symbol *name = take_name(p, "a name");
    if (!name) return false;
    *vec_push(p->arena, &names) = name;
  } while (try_take(p, TOK_COMMA));
  statement->names = names.at;
  statement->name_spans = spans.at;
  statement->name_count = (unsigned)names.count;
  return true;
}

static bool at_name_list(const struct parser *p) {
  return at(p, TOK_NAME) && (p->token[1].kind != KW_AS) &&
         (p->token[1].kind == TOK_COMMA || p->token[1].kind == TOK_END || p->token[1].kind >= TOK_KEYWORD ||
          p->token[1].kind == TOK_TILDE);
}

/* "show" names | "show" exp "as" NAME | "unshow" names */
static const struct statement *parse_show(struct parser *p) {
  struct statement *statement = new_statement(p, at(p, KW_SHOW) ? STMT_SHOW : STMT_UNSHOW);
  take(p);
  if (statement->kind == STMT_UNSHOW || at_name_list(p)) return parse_names(p, statement) ? statement : NULL;
  statement->kind = STMT_SHOW_AS;
  if (!(statement->exp = parse_base(p)) || !expect(p, KW_AS)) return NULL;
  return (statement->symbol = take_name(p, "a label")) ? statement : NULL;
}

/* "include" STRING */
static const struct statement *parse_include(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_INCLUDE);
  statement->file = ARENA_NEW(p->arena, const struct file *);
  take(p);
  statement->span = p->token->span;
  if (!at(p, TOK_STRING)) return fail(p, "a file name in double quotes");
  statement->path = text_of(p, take(p));
  return statement;
}

static bool at_block_end(const struct parser *p) {
  return at(p, KW_END) || at(p, KW_ELSE) || at(p, TOK_BARBAR) || at(p, TOK_END);
}

/* block = statement* */
static bool parse_block(struct parser *p, struct block *block) {
  VEC(const struct statement *) list = {0};
  while (!at_block_end(p)) {
    const struct statement *statement = parse_statement(p);
    if (!statement) return false;
    *vec_push(p->arena, &list) = statement;
  }
  *block = (struct block){list.at, (unsigned)list.count};
  return true;
}

/* "procedure" ["rec"] NAME argument "=" block "end" */
static const struct statement *parse_procedure(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_PROCEDURE);
  take(p);
  statement->recursive = try_take(p, KW_REC);
  if (!(statement->symbol = take_name(p, "the procedure's name"))) return NULL;
  if (!parse_argument(p, &statement->pattern) || !expect(p, TOK_EQUAL)) return NULL;
  return parse_block(p, &statement->body) && expect_closing(p, KW_END, statement->span) ? statement : NULL;
}

/* ("call" | "checkcall") NAME simple ["as" NAME]; the 2015 herd: NAME exp */
static const struct statement *parse_call(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_CALL);
  take(p);
  statement->span = p->token->span;
  if (!(statement->symbol = take_name(p, "the procedure's name"))) return NULL;
  if (!(statement->exp = parse_base(p))) return NULL;
  if (try_take(p, KW_AS) && !(statement->as = take_name(p, "a name for the call"))) return NULL;
  return statement;
}

/* "enum" NAME "=" ["||"] TAG ("||" TAG)* */
static const struct statement *parse_enum(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_ENUM);
  symbol_list tags = {0};
  take(p);
  if (!(statement->symbol = take_name(p, "the enumeration's name")) || !expect(p, TOK_EQUAL)) return NULL;
  try_take(p, TOK_BARBAR);
  do {
    if (!at(p, TOK_TAG)) return fail(p, "a tag such as 'acq");
    *vec_push(p->arena, &tags) = symbol_of(p, take(p));
  } while (try_take(p, TOK_BARBAR));
  statement->names = tags.at;
  statement->name_count = (unsigned)tags.count;
  return statement;
}

/* ("forall" | "foreach") NAME "in" exp "do" block "end" */
static const struct statement *parse_forall(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_FORALL);
  take(p);
  if (!(statement->symbol = take_name(p, "a name")) || !expect(p, KW_IN)) return NULL;
  if (!(statement->exp = parse_exp(p)) || !expect(p, KW_DO)) return NULL;
  return parse_block(p, &statement->body) && expect_closing(p, KW_END, statement->span) ? statement : NULL;
}

/* "with" NAME "from" exp */
static const struct statement *parse_with(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_WITH);
  take(p);
  if (!(statement->symbol = take_name(p, "a name")) || !expect(p, KW_FROM)) return NULL;
  return (statement->exp = parse_exp(p)) ? statement : NULL;
}

/* "fororder" NAME "in" exp "from" exp: with NAME from linearisations(exp, exp) */
static const struct statement *parse_fororder(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_WITH);
  uint32_t start = take(p)->span.at;
  exp_list items = {0};
  if (!(statement->symbol = take_name(p, "a name")) || !expect(p, KW_IN)) return NULL;
  if (!(*vec_push(p->arena, &items) = parse_exp(p)) || !expect(p, KW_FROM)) return NULL;
  if (!(*vec_push(p->arena, &items) = parse_exp(p))) return NULL;
  struct exp *function = new_exp(p, EXP_NAME, start);
  function->symbol = symbols_intern(p->symbols, "linearisations", strlen("linearisations"));
  statement->exp = new_binary(p, EXP_APPLY, function, new_list(p, EXP_TUPLE, &items, start));
  return statement;
}

/* "if" variants ["then"] block ["else" block] "end" */
static const struct statement *parse_if_statement(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_IF);
  take(p);
  if (!(statement->condition = parse_variants(p))) return NULL;
  try_take(p, KW_THEN);
  if (!parse_block(p, &statement->body)) return NULL;
  if (try_take(p, KW_ELSE) && !parse_block(p, &statement->other)) return NULL;
  return expect_closing(p, KW_END, statement->span) ? statement : NULL;
}

/* clause = (TAG | "_") "->" block */
static bool parse_statement_clause(struct parser *p, struct clause *clause) {
  if (at(p, TOK_TAG))
    clause->tag = symbol_of(p, take(p));
  else if (!expect(p, TOK_UNDERSCORE))
    return false;
  struct block block;
  if (!expect(p, TOK_ARROW) || !parse_block(p, &block)) return false;
  clause->statements = block.at;
  clause->statement_count = block.count;
  return true;
}

/* "match" exp "with" ["||"] clause ("||" clause)* "end" */
static const struct statement *parse_match_statement(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_MATCH);
  VEC(struct clause) clauses = {0};
  take(p);
  if (!(statement->exp = parse_exp(p)) || !expect(p, KW_WITH)) return NULL;
  try_take(p, TOK_BARBAR);
  do {
    if (!parse_statement_clause(p, vec_push(p->arena, &clauses))) return NULL;
  } while (clauses.at[clauses.count - 1].tag && try_take(p, TOK_BARBAR));
  statement->clauses = clauses.at;
  statement->clause_count = (unsigned)clauses.count;
  return expect_closing(p, KW_END, statement->span) ? statement : NULL;
}

/* ("instructions" | "default") NAME "[" args "]": bell declarations say nothing to a model */
static const struct statement *parse_instructions(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_NOTHING);
  exp_list items = {0};
  take(p);
  if (!take_name(p, "an instruction class") || !expect(p, TOK_LBRACKET)) return NULL;
  return parse_args(p, TOK_RBRACKET, &items) && expect(p, TOK_RBRACKET) ? statement : NULL;
}

/* "debug" exp: herd prints it, here it is only checked to be well formed */
static const struct statement *parse_debug(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_NOTHING);
  take(p);
  return parse_exp(p) ? statement : NULL;
}

static bool begins_line(const struct parser *p, const struct token *token) {
  const char *text = p->source->text;
  uint32_t i = token->span.at;
  while (i && (text[i - 1] == ' ' || text[i - 1] == '\t')) i--;
  return !i || text[i - 1] == '\n';
}

/* Where no statement begins: perhaps a misspelt one ran into the statement
 * before, as a function's argument. */
static void *fail_statement(struct parser *p) {
  static const char *const words[] = {"let",  "acyclic", "irreflexive", "empty", "show", "unshow",
                                      "flag", "include", "procedure",   "call",  "enum", "undefined_unless",
                                      "with", "forall",  "match",       "as",    NULL};
  for (const struct token *token = p->statement ? p->statement : p->token; token <= p->token; token++) {
    if (token->kind != TOK_NAME || !begins_line(p, token)) continue;
    const char *text = text_of(p, token), *near = suggest(text, words);
    if (!near) continue;
    diag_error(p->diags, p->source, token->span, "'%s' begins no statement; did you mean '%s'?", text, near);
    return NULL;
  }
  return fail(p, "a statement such as 'let', 'acyclic' or 'show'");
}

static const struct statement *parse_statement_here(struct parser *p) {
  if (at_test(p)) return parse_test_statement(p, TEST_REQUIRE);
  switch (p->token->kind) {
    case KW_LET:
      return parse_let_statement(p);
    case KW_FLAG:
      return parse_test_statement(p, TEST_FLAG);
    case KW_UNDEFINED_UNLESS:
      return parse_test_statement(p, TEST_UNDEFINED);
    case KW_ASSERT:
      return parse_test_statement(p, TEST_ASSERT);
    case KW_DEADNESS_REQUIRES:
      return parse_test_statement(p, TEST_IGNORED);
    case KW_SHOW:
    case KW_UNSHOW:
      return parse_show(p);
    case KW_INCLUDE:
      return parse_include(p);
    case KW_PROCEDURE:
      return parse_procedure(p);
    case KW_CALL:
    case KW_CHECKCALL:
      return parse_call(p);
    case KW_ENUM:
      return parse_enum(p);
    case KW_FORALL:
    case KW_FOREACH:
      return parse_forall(p);
    case KW_WITH:
      return parse_with(p);
    case KW_FORORDER:
      return parse_fororder(p);
    case KW_IF:
      return parse_if_statement(p);
    case KW_MATCH:
      return parse_match_statement(p);
    case KW_INSTRUCTIONS:
    case KW_DEFAULT:
      return parse_instructions(p);
    case KW_DEBUG:
      return parse_debug(p);
    default:
      return fail_statement(p);
  }
}

/* statement = let | test | show | include | procedure | call | enum | forall | with | if | match | ... */
static const struct statement *parse_statement(struct parser *p) {
  if (!enter(p)) return NULL;
  const struct token *start = p->token;
  const struct statement *statement = parse_statement_here(p);
  p->statement = start;
  leave(p);
  return statement;
}

/* Words that the 2015 herd allows after the title. */
static bool take_legacy_word(struct parser *p, struct file *file) {
  static const char *const words[] = {"withco", "withoutco", "withinit", "withoutinit", "withsc", "withoutsc", NULL};
  struct span span = p->token->span;
  for (unsigned i = 0; words[i]; i++) {
    if (strlen(words[i]) != span.length || memcmp(words[i], p->source->text + span.at, span.length) != 0) continue;
    file->without_co |= i == 1;
    file->with_sc |= i == 4;
    file->legacy = true;
    take(p);
    return true;
  }
  return false;
}

/* title = [NAME | STRING] [NAME | STRING] legacy-word* ["catdep"]
 *
 * A name on a line of its own behind the title is a misspelt statement. */
static void parse_title(struct parser *p, struct file *file) {
  while (at(p, TOK_NAME) || at(p, TOK_STRING)) {
    if (at(p, TOK_NAME) && take_legacy_word(p, file)) continue;
    if (at(p, TOK_NAME) && file->title && begins_line(p, p->token)) break;
    const char *word = text_of(p, take(p));
    file->title = file->title ? arena_printf(p->arena, "%s %s", file->title, word) : word;
  }
  try_take(p, KW_CATDEP);
}

static struct parser parser_new(struct arena *arena, struct symbols *symbols, const struct source *source,
                                struct diags *diags) {
  return (struct parser){.arena = arena, .symbols = symbols, .source = source, .diags = diags};
}

/* file = title statement* */
struct file *cat_parse(struct arena *arena, struct symbols *symbols, const struct source *source, struct diags *diags) {
  struct parser p = parser_new(arena, symbols, source, diags);
  if (!(p.token = cat_lex(arena, source, diags))) return NULL;
  struct file *file = ARENA_NEW(arena, struct file);
  file->source = source;
  parse_title(&p, file);
  if (!parse_block(&p, &file->body)) return NULL;
  if (!at(&p, TOK_END)) return fail_statement(&p);
  return file;
}

const struct exp *cat_parse_expression(struct arena *arena, struct symbols *symbols, const struct source *source,
                                       struct diags *diags) {
  struct parser p = parser_new(arena, symbols, source, diags);
  if (!(p.token = cat_lex(arena, source, diags))) return NULL;
  return parse_exp(&p);
}
