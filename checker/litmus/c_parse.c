/* SPDX-License-Identifier: MIT */
/* Threads in C's statements: text to tree (ast.h).
 *
 *   threads    = { ["void" ["*"]] "P" number [place] "(" [parameter { "," parameter }] ")" block }
 *   parameter  = type {"*" | qualifier} name ["[" [number] "]"]
 *   block      = "{" { statement } "}"
 *   statement  = type declarator { "," declarator } ";" | block | ";"
 *              | "if" "(" expr ")" statement ["else" statement] | "while" "(" expr ")" statement
 *              | "do" statement "while" "(" expr ")" ";" | "for" "(" [first] ";" [expr] ";" [expr] ")" statement
 *              | "break" ";" | "continue" ";" | "return" ";" | [label ":"] barrier ";" | expr ";"
 *   declarator = {"*" | qualifier} name ["=" expr] | name "[" number "]" ["=" "{" expr { "," expr } "}"]
 *   barrier    = ("barrier" | "work_group_barrier") "(" flags ["," scope] ")"
 *   expr       = C's (c_parse_expr.c)
 */

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/litmus/ast.h"

static const struct ast_stmt *parse_statement(struct draft *draft);

/* --- statements ----------------------------------------------------------------------------------- */

struct ast_stmt *ast_new_stmt(struct draft *draft, enum ast_stmt_kind kind, const struct token *first) {
  return ARENA_MAKE(draft->reader.arena, struct ast_stmt, .kind = kind, .span = first->span);
}

static void end_statement(struct draft *draft) {
  reader_expect(&draft->reader, ";", "after the statement");
}

static const struct ast_expr *parse_condition(struct draft *draft) {
  reader_expect(&draft->reader, "(", "before the condition");
  bool meant = reader_is(&draft->reader, "("); /* as compilers take `if ((x = y))` */
  const struct ast_expr *condition = c_parse_expr(draft);
  if (condition->kind == AST_ASSIGN && !condition->compound && !condition->after && !meant && !draft->reader.failed)
    diag_warning(
        draft->reader.diags, draft->reader.source, condition->span,
        "this condition assigns; use '==' to compare, or a second pair of parentheses if the assignment is meant");
  reader_expect(&draft->reader, ")", "after the condition");
  return condition;
}

/* Words that no statement starts with. */
static bool at_quantifier(const struct reader *reader) {
  const struct token *token = reader->token;
  if (token_is(token, "~") || token_is(token, "not")) token++;
  return (token_is(token, "exists") || token_is(token, "forall")) && !token_is(token + 1, "=");
}

const struct ast_stmt *c_parse_block(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  struct ast_stmt *block = ast_new_stmt(draft, AST_SEQUENCE, first);
  const struct ast_stmt **end = &block->body;
  reader_expect(reader, "{", "before the statements");
  while (!reader->failed && !reader_is(reader, "}")) {
    if (reader->token->kind == TOKEN_END) {
      reader_fail(reader, first->span, "this brace is never closed");
      break;
    }
    unsigned number;
    if (draft_is_thread_name(reader->token, &number) &&
        (token_is(reader->token + 1, "(") || token_is(reader->token + 1, "@")))
      reader_fail(reader, first->span, "this brace is not closed before the thread %s", reader->token->text);
    if (at_quantifier(reader)) reader_fail(reader, first->span, "this brace is not closed before the condition");
    struct ast_stmt *link = ast_new_stmt(draft, AST_SEQUENCE, reader->token);
    link->first = parse_statement(draft);
    *end = link;
    end = &link->next;
  }
  reader_skip(reader, "}");
  return block;
}

/* `[2] = {1, r0}`: an array of registers. */
static void parse_cells(struct draft *draft, struct ast_stmt *s) {
  struct reader *reader = &draft->reader;
  const struct token *number = reader->token;
  int64_t cells = reader_take_number(reader, "the array's size");
  if (cells < 1 || cells > AST_CELLS_LIMIT)
    reader_fail(reader, number->span, "an array in a thread has 1 to %d cells", AST_CELLS_LIMIT);
  s->cells = (unsigned)cells;
  reader_expect(reader, "]", "after the array's size");
  if (!reader_skip(reader, "=")) return;
  reader_expect(reader, "{", "before the array's values");
  while (!reader->failed && !reader_is(reader, "}")) {
    if (s->values.count == s->cells) reader_fail(reader, reader->token->span, "more values than cells");
    *vec_push(reader->arena, &s->values) = c_parse_assignment(draft);
    if (!reader_skip(reader, ",")) break;
  }
  reader_expect(reader, "}", "after the array's values");
}

/* How many; with qualifiers among them: `int *volatile *x`. */
static unsigned skip_stars(struct reader *reader) {
  for (unsigned stars = 0;;)
    if (reader_skip(reader, "*"))
      stars++;
    else if (!reader_skip(reader, "const") && !reader_skip(reader, "restrict") && !reader_skip(reader, "volatile"))
      return stars;
}

static const struct ast_stmt *parse_declaration(struct draft *draft, const struct type *type,
                                                const struct token *first) {
  struct reader *reader = &draft->reader;
  struct ast_stmt *block = ast_new_stmt(draft, AST_SEQUENCE, first);
  const struct ast_stmt **end = &block->body;
  do {
    bool pointer = skip_stars(reader) > 0, is_address = type->pointer && type->width.is_long; /* intptr_t */
    struct ast_stmt *link = ast_new_stmt(draft, AST_SEQUENCE, reader->token);
    struct ast_stmt *s = ast_new_stmt(draft, AST_DECLARE, reader->token);
    s->pointer = pointer || is_address;
    if (!pointer) s->width = type->width;
    s->name = reader_take_name(reader, "the name of a register");
    if (reader_skip(reader, "["))
      parse_cells(draft, s);
    else if (reader_skip(reader, "="))
      s->a = c_parse_assignment(draft);
    link->first = s;
    *end = link;
    end = &link->next;
  } while (reader_skip(reader, ","));
  end_statement(draft);
  return block;
}

static const struct ast_stmt *parse_if(struct draft *draft, const struct token *first) {
  struct ast_stmt *s = ast_new_stmt(draft, AST_IF, first);
  s->a = parse_condition(draft);
  s->body = parse_statement(draft);
  if (reader_skip(&draft->reader, "else")) s->otherwise = parse_statement(draft);
  return s;
}

static const struct ast_stmt *parse_while(struct draft *draft, const struct token *first) {
  struct ast_stmt *s = ast_new_stmt(draft, AST_WHILE, first);
  s->a = parse_condition(draft);
  s->body = parse_statement(draft);
  return s;
}

static const struct ast_stmt *parse_do(struct draft *draft, const struct token *first) {
  struct ast_stmt *s = ast_new_stmt(draft, AST_DO, first);
  s->body = parse_statement(draft);
  reader_expect(&draft->reader, "while", "after the body of 'do'");
  s->a = parse_condition(draft);
  end_statement(draft);
  return s;
}

static const struct ast_stmt *parse_for(struct draft *draft, const struct token *first) {
  struct reader *reader = &draft->reader;
  struct ast_stmt *s = ast_new_stmt(draft, AST_FOR, first);
  reader_expect(reader, "(", "after 'for'");
  s->first = parse_statement(draft);
  if (!reader_is(reader, ";")) s->a = c_parse_expr(draft);
  reader_expect(reader, ";", "after the condition of 'for'");
  if (!reader_is(reader, ")")) s->step = c_parse_expr(draft);
  reader_expect(reader, ")", "after the header of 'for'");
  s->body = parse_statement(draft);
  return s;
}

static const struct ast_stmt *parse_word(struct draft *draft, enum ast_stmt_kind kind, const struct token *first) {
  end_statement(draft);
  return ast_new_stmt(draft, kind, first);
}

static bool at_barrier(const struct token *token) {
  return token_is(token, "barrier") || token_is(token, "work_group_barrier");
}

/* `0`: the barrier orders no memory, which is a slip, most often. */
static bool takes_no_flags(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *flags = reader->token;
  if (flags->kind != TOKEN_NUMBER || flags->value != 0) return false;
  reader_take(reader);
  diag_warning(reader->diags, reader->source, flags->span,
               "without flags, work-items wait for each other at the barrier, but no memory is ordered");
  return true;
}

static const struct ast_stmt *parse_barrier(struct draft *draft, const char *label) {
  struct reader *reader = &draft->reader;
  const struct token *name = reader_take(reader);
  struct ast_stmt *s = ast_new_stmt(draft, AST_BARRIER, name);
  s->name = label;
  s->scope = SCOPE_WG;
  if (!draft->dialect->barriers) reader_fail(reader, name->span, "C has no barriers");
  if (!c_open_call(draft, name, 1, 2, "(flags[, scope])")) return s;
  if (!takes_no_flags(draft)) s->regions = parse_fence_flags(draft);
  if (reader_skip(reader, ",")) s->scope = parse_scope(draft);
  reader_expect(reader, ")", "after the arguments");
  end_statement(draft);
  return s;
}

static const struct ast_stmt *parse_labelled(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *label = reader_take(reader);
  reader_take(reader);
  if (at_barrier(reader->token)) return parse_barrier(draft, label->text);
  reader_fail(reader, label->span, "only barriers have labels, such as '%s: barrier(CLK_GLOBAL_MEM_FENCE)'",
              label->text);
  return ast_new_stmt(draft, AST_EMPTY, label);
}

static const struct ast_stmt *parse_keyword(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  static const char *const unsupported[] = {"switch", "goto", "case", "default", "sizeof", "struct", "typedef"};
  for (size_t i = 0; i < ARRAY_COUNT(unsupported); i++)
    if (reader_is(reader, unsupported[i])) reader_fail(reader, first->span, "'%s' is not supported", first->text);
  if (reader_skip(reader, "if")) return parse_if(draft, first);
  if (reader_skip(reader, "while")) return parse_while(draft, first);
  if (reader_skip(reader, "do")) return parse_do(draft, first);
  if (reader_skip(reader, "for")) return parse_for(draft, first);
  if (reader_skip(reader, "break")) return parse_word(draft, AST_BREAK, first);
  if (reader_skip(reader, "continue")) return parse_word(draft, AST_CONTINUE, first);
  if (reader_skip(reader, "return")) return parse_word(draft, AST_RETURN, first);
  if (reader_is(reader, "else")) reader_fail(reader, first->span, "'else' without 'if'");
  return NULL;
}

/* A register's, which may be `void *`, but not a location's. */
static bool parse_register_type(struct draft *draft, struct type *type) {
  *type = (struct type){0};
  if (!reader_is(&draft->reader, "void") || !token_is(draft->reader.token + 1, "*"))
    return draft_parse_type(draft, type);
  reader_take(&draft->reader);
  return true;
}

static const struct ast_stmt *parse_simple(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  struct type type;
  if (reader_is(reader, "{")) return c_parse_block(draft);
  if (reader_skip(reader, ";")) return ast_new_stmt(draft, AST_EMPTY, first);
  if (draft->dialect->parse_statement) return draft->dialect->parse_statement(draft);
  if (first->kind == TOKEN_NAME && token_is(first + 1, ":")) return parse_labelled(draft);
  if (at_barrier(first)) return parse_barrier(draft, NULL);
  if (parse_register_type(draft, &type)) return parse_declaration(draft, &type, first);
  struct ast_stmt *s = ast_new_stmt(draft, AST_EXPRESSION, first);
  if (!reader->failed) s->a = c_parse_expr(draft);
  end_statement(draft);
  return s;
}

static const struct ast_stmt *parse_statement(struct draft *draft) {
  const struct token *first = draft->reader.token;
  if (!c_enter(draft)) return ast_new_stmt(draft, AST_EMPTY, first);
  const struct ast_stmt *s = parse_keyword(draft);
  if (!s) s = parse_simple(draft);
  c_leave(draft);
  return s;
}

/* --- threads ------------------------------------------------------------------------------------------ */

static void parse_parameter(struct draft *draft, struct ast_thread *thread) {
  struct reader *reader = &draft->reader;
  struct type type;
  if (!draft_parse_type(draft, &type)) {
    reader_fail_expected(reader, "a parameter such as 'atomic_int* x'");
    return;
  }
  unsigned stars = skip_stars(reader);
  bool pointer = stars > 0;
  type.pointer |= stars > 1;
  if (type.pointer && (stars > 1 || !type.width.is_long)) type.width = (struct width){0};
  const struct token *name = reader->token;
  reader_take_name(reader, "the name of the parameter");
  if (reader->failed) return;
  if (reader_skip(reader, "[")) {
    pointer = true;
    if (!reader_is(reader, "]")) reader_take(reader);
    reader_expect(reader, "]", "after the size of the parameter");
  }
  if (!pointer)
    reader_fail(reader, name->span, "the parameter '%s' is not a pointer: write '%s* %s'", name->text,
                type.atomic ? "atomic_int" : "int", name->text);
  if (text_index(name->text, thread->parameters.at, thread->parameters.count) >= 0)
    reader_fail(reader, name->span, "duplicate parameter '%s'", name->text);
  *vec_push(reader->arena, &thread->parameters) = name->text;
  draft_declare_location(draft, draft_add_location(draft, name->text, name->span), &type, name->span, true);
}

static void parse_parameters(struct draft *draft, struct ast_thread *thread) {
  struct reader *reader = &draft->reader;
  if (reader_is(reader, "|"))
    reader_fail(reader, reader->token->span,
                "columns are for HSA tests: a thread is a function here, such as 'P0 (int* x) { ... }'");
  reader_expect(reader, "(", "before the parameters of the thread");
  if (reader_is(reader, "void") && token_is(reader->token + 1, ")")) reader_take(reader);
  while (!reader->failed && !reader_is(reader, ")")) {
    parse_parameter(draft, thread);
    if (!reader_skip(reader, ",")) break;
  }
  reader_expect(reader, ")", "after the parameters");
}

static void parse_thread(struct draft *draft) {
  struct reader *reader = &draft->reader;
  struct ast_thread *body = ARENA_NEW(reader->arena, struct ast_thread);
  struct draft_thread *thread = draft_add_thread(draft, reader_take(reader));
  thread->body = body;
  if (reader_is(reader, "@") && !draft->dialect->scoped)
    reader_fail(reader, reader->token->span, "C has no scopes: threads have no place");
  draft_parse_place(draft, thread);
  parse_parameters(draft, body);
  body->body = c_parse_block(draft);
}

/* `void P0`, `void *P0`: what a thread returns, nobody sees. */
static void skip_result(struct reader *reader) {
  unsigned number;
  const struct token *name = reader->token + 1;
  if (!reader_is(reader, "void")) return;
  if (token_is(name, "*")) name++;
  while (draft_is_thread_name(name, &number) && reader->token != name) reader_take(reader);
}

static void fail_no_thread(struct reader *reader) {
  const struct token *token = reader->token;
  bool function = token->kind == TOKEN_NAME && token[1].kind == TOKEN_NAME && token_is(&token[2], "(");
  if (function)
    reader_fail(reader, token[1].span,
                "function '%s': a test has only threads, such as P0; macros are read (-macros FILE)", token[1].text);
  else
    reader_fail_expected(reader, "a thread such as P0");
}

void c_parse_threads(struct draft *draft) {
  struct reader *reader = &draft->reader;
  do {
    unsigned number;
    skip_result(reader);
    if (!draft_is_thread_name(reader->token, &number) && draft->threads.count) return;
    if (!draft_is_thread_name(reader->token, &number)) fail_no_thread(reader);
    if (!reader->failed) parse_thread(draft);
  } while (!reader->failed && !draft_at_scope_tree(draft) && !draft_at_condition(draft));
}
