/* SPDX-License-Identifier: MIT */
/* Statements and files, by recursive descent: the grammar above each function;
 * expressions are in parse_exp.c, conditions in parse_if_condition.c.
 *
 * The 2015 herd's words are accepted, too: `withoutco`, `foreach`,
 * `fororder x in E from r`, `checkcall`.
 */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/vec.h"
#include "checker/cat/parser_tokens.h"

static const struct statement *parse_statement(struct parser *p);

static struct statement *new_statement(struct parser *p, enum statement_kind kind) {
  return ARENA_MAKE(p->arena, struct statement, .kind = kind, .source = p->source, .span = p->token->span);
}

static bool at_test(const struct parser *p) {
  return p->token->kind == KW_ACYCLIC || p->token->kind == KW_IRREFLEXIVE || p->token->kind == KW_EMPTY ||
         p->token->kind == TOK_TILDE || p->token->kind == KW_NOT;
}

/* test = ("~" | "not")* ("acyclic" | "irreflexive" | "empty") exp ["as" NAME] */
static struct test_syntax *parse_test(struct parser *p, enum test_role role) {
  struct test_syntax *test = ARENA_NEW(p->arena, struct test_syntax);
  uint32_t start = p->token->span.at;
  test->role = role;
  while (parser_try(p, TOK_TILDE) || parser_try(p, KW_NOT)) test->negated = !test->negated;
  if (parser_try(p, KW_ACYCLIC))
    test->kind = TEST_ACYCLIC;
  else if (parser_try(p, KW_IRREFLEXIVE))
    test->kind = TEST_IRREFLEXIVE;
  else if (parser_try(p, KW_EMPTY))
    test->kind = TEST_EMPTY;
  else
    return parser_fail(p, "'acyclic', 'irreflexive' or 'empty'");
  if (!(test->body = parse_tuple(p))) return NULL;
  test->span = parser_since(p, start);
  if (parser_try(p, KW_AS) && !(test->name = parser_name(p, "a name for the check"))) return NULL;
  return test;
}

static const struct statement *parse_test_statement(struct parser *p, enum test_role role) {
  struct statement *statement = new_statement(p, STMT_TEST);
  if (role != TEST_REQUIRE) parser_take(p);
  statement->test = parse_test(p, role);
  return statement->test ? statement : NULL;
}

/* "let" bindings ["when" test] ["in"] */
static const struct statement *parse_let_statement(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_LET);
  parser_take(p);
  if (!parse_bindings(p, &statement->recursive, &statement->bindings, &statement->binding_count)) return NULL;
  if (statement->recursive && parser_try(p, KW_WHEN) && !(statement->test = parse_test(p, TEST_REQUIRE))) return NULL;
  parser_try(p, KW_IN);
  return statement;
}

/* names = NAME ("," NAME)* */
static bool parse_names(struct parser *p, struct statement *statement) {
  symbol_list names = {0};
  VEC(struct span) spans = {0};
  do {
    *vec_push(p->arena, &spans) = p->token->span;
    struct symbol *name = parser_name(p, "a name");
    if (!name) return false;
    *vec_push(p->arena, &names) = name;
  } while (parser_try(p, TOK_COMMA));
  statement->names = names.at;
  statement->name_spans = spans.at;
  statement->name_count = (unsigned)names.count;
  return true;
}

static bool at_name_list(const struct parser *p) {
  return parser_at(p, TOK_NAME) && (p->token[1].kind != KW_AS) &&
         (p->token[1].kind == TOK_COMMA || p->token[1].kind == TOK_END || p->token[1].kind >= TOK_KEYWORD ||
          p->token[1].kind == TOK_TILDE);
}

/* "show" names | "show" exp "as" NAME | "unshow" names */
static const struct statement *parse_show(struct parser *p) {
  struct statement *statement = new_statement(p, parser_at(p, KW_SHOW) ? STMT_SHOW : STMT_UNSHOW);
  parser_take(p);
  if (statement->kind == STMT_UNSHOW || at_name_list(p)) return parse_names(p, statement) ? statement : NULL;
  statement->kind = STMT_SHOW_AS;
  if (!(statement->exp = parse_base(p)) || !parser_expect(p, KW_AS)) return NULL;
  return (statement->symbol = parser_name(p, "a label")) ? statement : NULL;
}

/* "include" STRING */
static const struct statement *parse_include(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_INCLUDE);
  statement->file = ARENA_NEW(p->arena, const struct file *);
  parser_take(p);
  statement->span = p->token->span;
  if (!parser_at(p, TOK_STRING)) return parser_fail(p, "a file name in double quotes");
  statement->path = parser_text(p, parser_take(p));
  return statement;
}

static bool at_block_end(const struct parser *p) {
  return parser_at(p, KW_END) || parser_at(p, KW_ELSE) || parser_at(p, TOK_BARBAR) || parser_at(p, TOK_END);
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
  parser_take(p);
  statement->recursive = parser_try(p, KW_REC);
  if (!(statement->symbol = parser_name(p, "the procedure's name"))) return NULL;
  if (!parse_argument(p, &statement->pattern) || !parser_expect(p, TOK_EQUAL)) return NULL;
  return parse_block(p, &statement->body) && parser_expect_closing(p, KW_END, statement->span) ? statement : NULL;
}

/* ("call" | "checkcall") NAME simple ["as" NAME]; the 2015 herd: NAME exp */
static const struct statement *parse_call(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_CALL);
  parser_take(p);
  statement->span = p->token->span;
  if (!(statement->symbol = parser_name(p, "the procedure's name"))) return NULL;
  if (!(statement->exp = parse_base(p))) return NULL;
  if (parser_try(p, KW_AS) && !(statement->as = parser_name(p, "a name for the call"))) return NULL;
  return statement;
}

/* "enum" NAME "=" ["||"] TAG ("||" TAG)* */
static const struct statement *parse_enum(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_ENUM);
  symbol_list tags = {0};
  parser_take(p);
  if (!(statement->symbol = parser_name(p, "the enumeration's name")) || !parser_expect(p, TOK_EQUAL)) return NULL;
  parser_try(p, TOK_BARBAR);
  do {
    if (!parser_at(p, TOK_TAG)) return parser_fail(p, "a tag such as 'acq");
    *vec_push(p->arena, &tags) = parser_symbol(p, parser_take(p));
  } while (parser_try(p, TOK_BARBAR));
  statement->names = tags.at;
  statement->name_count = (unsigned)tags.count;
  return statement;
}

/* ("forall" | "foreach") NAME "in" exp "do" block "end" */
static const struct statement *parse_forall(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_FORALL);
  parser_take(p);
  if (!(statement->symbol = parser_name(p, "a name")) || !parser_expect(p, KW_IN)) return NULL;
  if (!(statement->exp = parse_exp(p)) || !parser_expect(p, KW_DO)) return NULL;
  return parse_block(p, &statement->body) && parser_expect_closing(p, KW_END, statement->span) ? statement : NULL;
}

/* "with" NAME "from" exp */
static const struct statement *parse_with(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_WITH);
  parser_take(p);
  if (!(statement->symbol = parser_name(p, "a name")) || !parser_expect(p, KW_FROM)) return NULL;
  return (statement->exp = parse_exp(p)) ? statement : NULL;
}

/* "fororder" NAME "in" exp "from" exp: with NAME from linearisations(exp, exp) */
static const struct statement *parse_fororder(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_WITH);
  uint32_t start = parser_take(p)->span.at;
  exp_list items = {0};
  if (!(statement->symbol = parser_name(p, "a name")) || !parser_expect(p, KW_IN)) return NULL;
  if (!(*vec_push(p->arena, &items) = parse_exp(p)) || !parser_expect(p, KW_FROM)) return NULL;
  if (!(*vec_push(p->arena, &items) = parse_exp(p))) return NULL;
  struct exp *function = exp_new(p, EXP_NAME, start);
  function->symbol = symbols_intern(p->symbols, "linearisations", strlen("linearisations"));
  statement->exp = exp_binary(p, EXP_APPLY, function, exp_list_of(p, EXP_TUPLE, &items, start));
  return statement;
}

/* "if" variants ["then"] block ["else" block] "end" */
static const struct statement *parse_if_statement(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_IF);
  parser_take(p);
  if (!(statement->condition = parse_variants(p))) return NULL;
  parser_try(p, KW_THEN);
  if (!parse_block(p, &statement->body)) return NULL;
  if (parser_try(p, KW_ELSE) && !parse_block(p, &statement->other)) return NULL;
  return parser_expect_closing(p, KW_END, statement->span) ? statement : NULL;
}

/* clause = (TAG | "_") "->" block */
static bool parse_statement_clause(struct parser *p, struct clause *clause) {
  if (parser_at(p, TOK_TAG))
    clause->tag = parser_symbol(p, parser_take(p));
  else if (!parser_expect(p, TOK_UNDERSCORE))
    return false;
  struct block block;
  if (!parser_expect(p, TOK_ARROW) || !parse_block(p, &block)) return false;
  clause->statements = block.at;
  clause->statement_count = block.count;
  return true;
}

/* "match" exp "with" ["||"] clause ("||" clause)* "end" */
static const struct statement *parse_match_statement(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_MATCH);
  VEC(struct clause) clauses = {0};
  parser_take(p);
  if (!(statement->exp = parse_exp(p)) || !parser_expect(p, KW_WITH)) return NULL;
  parser_try(p, TOK_BARBAR);
  do {
    if (!parse_statement_clause(p, vec_push(p->arena, &clauses))) return NULL;
  } while (clauses.at[clauses.count - 1].tag && parser_try(p, TOK_BARBAR));
  statement->clauses = clauses.at;
  statement->clause_count = (unsigned)clauses.count;
  return parser_expect_closing(p, KW_END, statement->span) ? statement : NULL;
}

/* ("instructions" | "default") NAME "[" args "]": Bell's declarations of annotations; defaults are for its own
 * language, and say nothing here */
static const struct statement *parse_instructions(struct parser *p) {
  struct statement *statement = new_statement(p, parser_at(p, KW_DEFAULT) ? STMT_NOTHING : STMT_INSTRUCTIONS);
  exp_list items = {0};
  parser_take(p);
  if (!(statement->symbol = parser_name(p, "an instruction class")) || !parser_expect(p, TOK_LBRACKET)) return NULL;
  uint32_t start = p->token->span.at;
  if (!parse_args(p, TOK_RBRACKET, &items) || !parser_expect(p, TOK_RBRACKET)) return NULL;
  statement->exp = exp_list_of(p, EXP_TUPLE, &items, start);
  return statement;
}

/* "debug" exp: herd prints it, here it is only checked to be well formed */
static const struct statement *parse_debug(struct parser *p) {
  struct statement *statement = new_statement(p, STMT_NOTHING);
  parser_take(p);
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
    const char *text = parser_text(p, token), *near = suggest(text, words);
    if (!near) continue;
    diag_error(p->diags, p->source, token->span, "'%s' does not start a statement; did you mean '%s'?", text, near);
    return NULL;
  }
  return parser_fail(p, "a statement such as 'let', 'acyclic' or 'show'");
}

/* What a statement begins with. */
static const struct {
  int kind;
  const struct statement *(*parse)(struct parser *p);
} statements[] = {{KW_LET, parse_let_statement},
                  {KW_SHOW, parse_show},
                  {KW_UNSHOW, parse_show},
                  {KW_INCLUDE, parse_include},
                  {KW_PROCEDURE, parse_procedure},
                  {KW_CALL, parse_call},
                  {KW_CHECKCALL, parse_call},
                  {KW_ENUM, parse_enum},
                  {KW_FORALL, parse_forall},
                  {KW_FOREACH, parse_forall},
                  {KW_WITH, parse_with},
                  {KW_FORORDER, parse_fororder},
                  {KW_IF, parse_if_statement},
                  {KW_MATCH, parse_match_statement},
                  {KW_INSTRUCTIONS, parse_instructions},
                  {KW_DEFAULT, parse_instructions},
                  {KW_DEBUG, parse_debug}};
static const struct {
  int kind;
  enum test_role role;
} tests[] = {{KW_FLAG, TEST_FLAG},
             {KW_UNDEFINED_UNLESS, TEST_UNDEFINED},
             {KW_ASSERT, TEST_ASSERT},
             {KW_DEADNESS_REQUIRES, TEST_IGNORED}};

static const struct statement *parse_statement_here(struct parser *p) {
  int kind = p->token->kind;
  if (at_test(p)) return parse_test_statement(p, TEST_REQUIRE);
  for (size_t i = 0; i < ARRAY_COUNT(tests); i++)
    if (tests[i].kind == kind) return parse_test_statement(p, tests[i].role);
  for (size_t i = 0; i < ARRAY_COUNT(statements); i++)
    if (statements[i].kind == kind) return statements[i].parse(p);
  return fail_statement(p);
}

/* statement = let | test | show | include | procedure | call | enum | forall | with | if | match | ... */
static const struct statement *parse_statement(struct parser *p) {
  if (!parser_enter(p)) return NULL;
  const struct token *start = p->token;
  const struct statement *statement = parse_statement_here(p);
  p->statement = start;
  parser_leave(p);
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
    parser_take(p);
    return true;
  }
  return false;
}

/* title = [NAME | STRING] [NAME | STRING] legacy-word* ["catdep"]
 *
 * Files of the 2015 herd begin with such a word, or with the bare name of its OpenCL.
 * A name on a line of its own after the title is a misspelt statement. */
static void parse_title(struct parser *p, struct file *file) {
  while (parser_at(p, TOK_NAME) || parser_at(p, TOK_STRING)) {
    if (parser_at(p, TOK_NAME) && take_legacy_word(p, file)) continue;
    if (parser_at(p, TOK_NAME) && file->title && begins_line(p, p->token)) break;
    bool bare = parser_at(p, TOK_NAME);
    const char *word = parser_text(p, parser_take(p));
    file->legacy |= bare && !file->title && !strcmp(word, "OpenCL"); /* the architecture, which no other herd has */
    file->title = file->title ? arena_printf(p->arena, "%s %s", file->title, word) : word;
  }
  parser_try(p, KW_CATDEP);
}

/* file = title statement* */
struct file *cat_parse(struct arena *arena, struct symbols *symbols, const struct source *source, struct diags *diags) {
  struct parser p = parser_new(arena, symbols, source, diags);
  if (!(p.token = cat_lex(arena, source, diags))) return NULL;
  struct file *file = ARENA_NEW(arena, struct file);
  file->source = source;
  parse_title(&p, file);
  if (!parse_block(&p, &file->body)) return NULL;
  if (!parser_at(&p, TOK_END)) return fail_statement(&p);
  return file;
}

const struct exp *cat_parse_expression(struct arena *arena, struct symbols *symbols, const struct source *source,
                                       struct diags *diags) {
  struct parser p = parser_new(arena, symbols, source, diags);
  if (!(p.token = cat_lex(arena, source, diags))) return NULL;
  return parse_exp(&p);
}
