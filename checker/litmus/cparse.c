/* SPDX-License-Identifier: MIT */
/* Threads in C's statements: text to tree (ast.h).
 *
 *   threads    = { ["void" ["*"]] "P" number [place] "(" [parameter { "," parameter }] ")" block }
 *   parameter  = type {"*"} name ["[" [number] "]"]
 *   block      = "{" { statement } "}"
 *   statement  = type declarator { "," declarator } ";" | block | ";"
 *              | "if" "(" expr ")" statement ["else" statement] | "while" "(" expr ")" statement
 *              | "do" statement "while" "(" expr ")" ";" | "for" "(" [first] ";" [expr] ";" [expr] ")" statement
 *              | "break" ";" | "continue" ";" | "return" ";" | [label ":"] barrier ";" | expr ";"
 *   declarator = {"*"} name ["=" expr] | name "[" number "]" ["=" "{" expr { "," expr } "}"]
 *   barrier    = ("barrier" | "work_group_barrier") "(" flags ["," scope] ")"
 *   expr       = C's, by precedence climbing over the table below; calls by opencl.c's table
 */
#include <string.h>

#include "checker/litmus/ast.h"

static const struct ast_expr *parse_assignment(struct draft *draft);
static const struct ast_expr *parse_expr(struct draft *draft);
static const struct ast_stmt *parse_statement(struct draft *draft);

/* --- how deep --------------------------------------------------------------------------- */

/* A level of parentheses takes two steps, any other one or two. */
static bool enter(struct draft *draft) {
  struct reader *reader = &draft->reader;
  if (draft->depth >= 2 * AST_NESTING_LIMIT)
    reader_fail(reader, reader->token->span, "nested too deeply (more than %d levels)", AST_NESTING_LIMIT);
  if (reader->failed) return false;
  draft->depth++;
  return true;
}

static void leave(struct draft *draft) {
  draft->depth--;
}

/* --- making nodes ----------------------------------------------------------------------- */

static struct ast_expr *new_expr(struct draft *draft, enum ast_expr_kind kind, const struct token *first) {
  struct ast_expr *e = ARENA_NEW(draft->reader.arena, struct ast_expr);
  e->kind = kind;
  e->span = first->span;
  e->height = 1;
  return e;
}

/* Settles what follows from the operands: height, effects and span. */
static const struct ast_expr *finish(struct draft *draft, struct ast_expr *e, const struct token *first) {
  const struct ast_expr *operands[] = {e->a,
                                       e->b,
                                       e->c,
                                       e->call ? e->call->address : NULL,
                                       e->call ? e->call->expected : NULL,
                                       e->call ? e->call->value : NULL,
                                       e->linux_call ? e->linux_call->location : NULL,
                                       e->linux_call ? e->linux_call->expected : NULL,
                                       e->linux_call ? e->linux_call->value : NULL};
  for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
    if (operands[i]) {
      if (operands[i]->height >= e->height) e->height = operands[i]->height + 1;
      e->effects |= operands[i]->effects;
    }
  e->effects |= e->kind == AST_DEREFERENCE || e->kind == AST_INDEX || e->kind == AST_ASSIGN || e->kind == AST_CALL ||
                e->kind == AST_LINUX;
  e->span = reader_span_from(&draft->reader, first);
  if (e->height > AST_NESTING_LIMIT)
    reader_fail(&draft->reader, first->span, "nested too deeply (more than %d levels)", AST_NESTING_LIMIT);
  return e;
}

/* --- calls ------------------------------------------------------------------------------------ */

static unsigned count_arguments(const struct reader *reader) {
  unsigned depth = 0, count = 0;
  for (const struct token *t = reader->token; t != reader->end; t++) {
    if (depth == 0 && (token_is(t, ")") || token_is(t, ";"))) return count;
    if (!count) count = 1;
    if (token_is(t, "(") || token_is(t, "[")) depth++;
    if (depth && (token_is(t, ")") || token_is(t, "]"))) depth--;
    if (depth == 0 && token_is(t, ",")) count++;
  }
  return count;
}

/* Opens the parenthesis; `shape` shows the arguments, as in "(address, order[, scope])". */
static bool open_call(struct draft *draft, const struct token *name, unsigned least, unsigned most, const char *shape) {
  struct reader *reader = &draft->reader;
  reader_expect(reader, "(", "after the function's name");
  if (reader->failed) return false;
  unsigned count = count_arguments(reader);
  if (count >= least && count <= most) return true;
  const char *range = least < most ? arena_printf(reader->arena, "%u or ", least) : "";
  reader_fail(reader, name->span, "'%s' takes %s%u argument%s, not %u: %s%s", name->text, range, most,
              most == 1 ? "" : "s", count, name->text, shape);
  return false;
}

static void parse_comma(struct draft *draft) {
  reader_expect(&draft->reader, ",", "between arguments");
}

static const char *call_shape(struct draft *draft, const struct function_name *found, unsigned *least, unsigned *most) {
  static const char *const operands[] = {
      [FUNCTION_LOAD] = "location",
      [FUNCTION_STORE] = "location, value",
      [FUNCTION_INIT] = "location, value",
      [FUNCTION_RMW] = "location, value",
      [FUNCTION_CAS] = "location, expected, desired",
      [FUNCTION_TEST_AND_SET] = "location",
      [FUNCTION_CLEAR] = "location",
  };
  enum function_kind kind = found->function->kind;
  bool scoped = draft->dialect->scoped && found->explicit;
  *least = kind == FUNCTION_CAS ? 3 : kind == FUNCTION_STORE || kind == FUNCTION_INIT || kind == FUNCTION_RMW ? 2 : 1;
  if (found->explicit) *least += kind == FUNCTION_CAS ? 2 : 1;
  *most = *least + (scoped ? 1 : 0);
  return arena_printf(draft->reader.arena, "(%s%s%s)", operands[kind],
                      !found->explicit       ? ""
                      : kind == FUNCTION_CAS ? ", order, failure order"
                                             : ", order",
                      scoped ? "[, scope]" : "");
}

static void parse_optional_scope(struct draft *draft, struct ast_call *call) {
  if (!reader_skip(&draft->reader, ",")) return;
  call->scope = parse_scope(draft);
  call->implicit_scope = false;
}

static void parse_fence(struct draft *draft, struct ast_call *call, const struct token *name) {
  if (!draft->dialect->scoped) {
    if (!open_call(draft, name, 1, 1, "(order)")) return;
    call->order = parse_order(draft);
    call->regions = REGION_GLOBAL | REGION_LOCAL;
    call->scope = SCOPE_NONE;
    return;
  }
  if (!open_call(draft, name, 2, 3, "(flags, order[, scope])")) return;
  call->regions = parse_fence_flags(draft);
  parse_comma(draft);
  call->order = parse_order(draft);
  parse_optional_scope(draft, call);
}

static void parse_strength(struct draft *draft, struct ast_call *call) {
  parse_comma(draft);
  call->order = parse_order(draft);
  if (call->function->kind == FUNCTION_CAS) {
    parse_comma(draft);
    call->failure = parse_order(draft);
  }
  parse_optional_scope(draft, call);
}

static void parse_access(struct draft *draft, struct ast_call *call, const struct function_name *found,
                         const struct token *name) {
  unsigned least = 0, most = 0;
  const char *shape = call_shape(draft, found, &least, &most);
  if (!open_call(draft, name, least, most, shape)) return;
  enum function_kind kind = call->function->kind;
  call->address = parse_assignment(draft);
  if (kind == FUNCTION_CAS) {
    parse_comma(draft);
    call->expected = parse_assignment(draft);
  }
  if (kind == FUNCTION_CAS || kind == FUNCTION_STORE || kind == FUNCTION_INIT || kind == FUNCTION_RMW) {
    parse_comma(draft);
    call->value = parse_assignment(draft);
  }
  if (found->explicit) parse_strength(draft, call);
}

static const struct ast_expr *parse_call(struct draft *draft) {
  const struct token *name = reader_take(&draft->reader);
  bool scoped = draft->dialect->scoped;
  struct function_name found = function_find(draft->dialect, name->text);
  struct ast_call *call = ARENA_NEW(draft->reader.arena, struct ast_call);
  /* Without a scope an operation is for the device, as the language has it; the
   * published models see `implicit_scope` and read it as the tool that they were
   * written for did. */
  *call = (struct ast_call){.function = found.function,
                            .name = name->text,
                            .remote = found.remote,
                            .order = ORDER_SC,
                            .failure = ORDER_SC,
                            .scope = scoped ? SCOPE_DEV : SCOPE_NONE,
                            .implicit_scope = scoped};
  struct ast_expr *e = new_expr(draft, AST_CALL, name);
  e->call = call;
  if (!found.function)
    function_fail_unknown(draft, name);
  else if (found.function->kind == FUNCTION_FENCE)
    parse_fence(draft, call, name);
  else
    parse_access(draft, call, &found, name);
  reader_expect(&draft->reader, ")", "after the arguments");
  return finish(draft, e, name);
}

/* --- expressions ---------------------------------------------------------------------------------- */

static const struct infix {
  const char *text;
  int binds;
  enum expr_kind op;
} infixes[] = {
    {"*", 10, EXPR_MUL}, {"/", 10, EXPR_DIV},  {"%", 10, EXPR_MOD}, {"+", 9, EXPR_ADD}, {"-", 9, EXPR_SUB},
    {"<<", 8, EXPR_SHL}, {">>", 8, EXPR_SHR},  {"<=", 7, EXPR_LE},  {">=", 7, EXPR_GE}, {"<", 7, EXPR_LT},
    {">", 7, EXPR_GT},   {"==", 6, EXPR_EQ},   {"!=", 6, EXPR_NE},  {"&", 5, EXPR_AND}, {"^", 4, EXPR_XOR},
    {"|", 3, EXPR_OR},   {"&&", 2, EXPR_LAND}, {"||", 1, EXPR_LOR},
};

static const struct infix compounds[] = {
    {"+=", 0, EXPR_ADD}, {"-=", 0, EXPR_SUB}, {"*=", 0, EXPR_MUL}, {"/=", 0, EXPR_DIV},  {"%=", 0, EXPR_MOD},
    {"&=", 0, EXPR_AND}, {"|=", 0, EXPR_OR},  {"^=", 0, EXPR_XOR}, {"<<=", 0, EXPR_SHL}, {">>=", 0, EXPR_SHR},
};

static const struct infix *find_operator(const struct reader *reader, const struct infix *table, size_t count) {
  if (reader->token->kind != TOKEN_PUNCT) return NULL;
  for (size_t i = 0; i < count; i++)
    if (!strcmp(reader->token->text, table[i].text)) return &table[i];
  return NULL;
}
#define FIND_OPERATOR(reader, table) find_operator((reader), (table), sizeof(table) / sizeof *(table))

static const struct ast_expr *one(struct draft *draft, const struct token *token) {
  struct ast_expr *e = new_expr(draft, AST_NUMBER, token);
  e->value = 1;
  return e;
}

static const struct ast_expr *parse_primary(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  if (reader_skip(reader, "(")) {
    const struct ast_expr *inner = parse_expr(draft);
    reader_expect(reader, ")", "in the expression");
    return inner;
  }
  if (first->kind == TOKEN_NUMBER) {
    struct ast_expr *e = new_expr(draft, AST_NUMBER, reader_take(reader));
    e->value = first->value;
    return e;
  }
  if (linux_begins(draft)) {
    struct ast_expr *e = new_expr(draft, AST_LINUX, first);
    e->linux_call = linux_parse(draft);
    return finish(draft, e, first);
  }
  if (first->kind == TOKEN_NAME && token_is(first + 1, "(")) return parse_call(draft);
  struct ast_expr *e = new_expr(draft, AST_NAME, first);
  e->name = reader_take_name(reader, "an expression");
  if (!strcmp(e->name, "NULL") || !strcmp(e->name, "false")) e->kind = AST_NUMBER;
  if (!strcmp(e->name, "true")) return one(draft, first);
  return e;
}

static const struct ast_expr *parse_step(struct draft *draft, const struct ast_expr *target, bool after,
                                         enum expr_kind op, const struct token *first) {
  struct ast_expr *e = new_expr(draft, AST_ASSIGN, first);
  e->a = target;
  e->b = one(draft, first);
  e->op = op;
  e->compound = true;
  e->after = after;
  return finish(draft, e, first);
}

static const struct ast_expr *parse_postfix(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  const struct ast_expr *inner = parse_primary(draft);
  for (;;) {
    if (reader_skip(reader, "[")) {
      struct ast_expr *e = new_expr(draft, AST_INDEX, first);
      e->a = inner;
      e->b = parse_expr(draft);
      reader_expect(reader, "]", "after the index");
      inner = finish(draft, e, first);
    } else if (reader_skip(reader, "++")) {
      inner = parse_step(draft, inner, true, EXPR_ADD, first);
    } else if (reader_skip(reader, "--")) {
      inner = parse_step(draft, inner, true, EXPR_SUB, first);
    } else {
      return inner;
    }
  }
}

/* `(int)` or `(global int *)`: of no effect, as every value is an integer. */
static bool skip_cast(struct draft *draft) {
  static const char *const words[] = {"int",      "long",      "unsigned", "global", "local",    "__global",
                                      "__local",  "char",      "short",    "signed", "volatile", "atomic_int",
                                      "intptr_t", "uintptr_t", "uint",     "void"};
  struct reader *reader = &draft->reader;
  if (!reader_is(reader, "(")) return false;
  bool type = false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) type |= token_is(reader->token + 1, words[i]);
  if (!type) return false;
  reader_take(reader);
  struct type ignored;
  if (!reader_skip(reader, "void")) draft_parse_type(draft, &ignored);
  while (reader_skip(reader, "*")) continue;
  reader_expect(reader, ")", "after the type");
  return true;
}

static const struct ast_expr *parse_unary(struct draft *draft);

static const struct ast_expr *parse_prefix(struct draft *draft, enum ast_expr_kind kind, enum expr_kind op) {
  const struct token *first = reader_take(&draft->reader);
  struct ast_expr *e = new_expr(draft, kind, first);
  e->op = op;
  e->a = parse_unary(draft);
  return finish(draft, e, first);
}

static const struct ast_expr *parse_operand(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  while (skip_cast(draft)) continue;
  if (reader_is(reader, "*")) return parse_prefix(draft, AST_DEREFERENCE, EXPR_CONST);
  if (reader_is(reader, "&")) return parse_prefix(draft, AST_ADDRESS, EXPR_CONST);
  if (reader_is(reader, "-")) return parse_prefix(draft, AST_OPERATION, EXPR_NEG);
  if (reader_is(reader, "~")) return parse_prefix(draft, AST_OPERATION, EXPR_NOT);
  if (reader_is(reader, "!")) return parse_prefix(draft, AST_OPERATION, EXPR_LNOT);
  if (reader_skip(reader, "+")) return parse_unary(draft);
  if (reader_skip(reader, "++")) return parse_step(draft, parse_unary(draft), false, EXPR_ADD, first);
  if (reader_skip(reader, "--")) return parse_step(draft, parse_unary(draft), false, EXPR_SUB, first);
  return parse_postfix(draft);
}

/* Every recursion of the grammar passes here or through parse_assignment. */
static const struct ast_expr *parse_unary(struct draft *draft) {
  const struct token *first = draft->reader.token;
  if (!enter(draft)) return new_expr(draft, AST_NUMBER, first);
  const struct ast_expr *e = parse_operand(draft);
  leave(draft);
  return e;
}

static const struct ast_expr *parse_binary(struct draft *draft, int least) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  const struct ast_expr *left = parse_unary(draft);
  for (;;) {
    const struct infix *op = FIND_OPERATOR(reader, infixes);
    if (!op || op->binds < least) return left;
    reader_take(reader);
    struct ast_expr *e = new_expr(draft, AST_OPERATION, first);
    e->op = op->op;
    e->a = left;
    e->b = parse_binary(draft, op->binds + 1);
    left = finish(draft, e, first);
  }
}

static const struct ast_expr *parse_conditional(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  const struct ast_expr *condition = parse_binary(draft, 1);
  if (!reader_skip(reader, "?")) return condition;
  struct ast_expr *e = new_expr(draft, AST_OPERATION, first);
  e->op = EXPR_COND;
  e->a = condition;
  e->b = parse_expr(draft);
  reader_expect(reader, ":", "in the conditional expression");
  e->c = parse_assignment(draft);
  return finish(draft, e, first);
}

static const struct ast_expr *parse_assignment(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  if (!enter(draft)) return new_expr(draft, AST_NUMBER, first);
  const struct ast_expr *target = parse_conditional(draft);
  const struct infix *compound = FIND_OPERATOR(reader, compounds);
  if (!compound && !reader_is(reader, "=")) {
    leave(draft);
    return target;
  }
  reader_take(reader);
  struct ast_expr *e = new_expr(draft, AST_ASSIGN, first);
  e->a = target;
  e->b = parse_assignment(draft);
  leave(draft);
  e->compound = compound != NULL;
  if (compound) e->op = compound->op;
  return finish(draft, e, first);
}

const struct ast_expr *c_parse_operand(struct draft *draft) {
  return parse_assignment(draft);
}

static const struct ast_expr *parse_expr(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  const struct ast_expr *left = parse_assignment(draft);
  while (reader_skip(reader, ",")) {
    struct ast_expr *e = new_expr(draft, AST_COMMA, first);
    e->a = left;
    e->b = parse_assignment(draft);
    left = finish(draft, e, first);
  }
  return left;
}

/* --- statements ----------------------------------------------------------------------------------- */

static struct ast_stmt *new_stmt(struct draft *draft, enum ast_stmt_kind kind, const struct token *first) {
  struct ast_stmt *s = ARENA_NEW(draft->reader.arena, struct ast_stmt);
  s->kind = kind;
  s->span = first->span;
  return s;
}

static void end_statement(struct draft *draft) {
  reader_expect(&draft->reader, ";", "after the statement");
}

static const struct ast_expr *parse_condition(struct draft *draft) {
  reader_expect(&draft->reader, "(", "before the condition");
  bool meant = reader_is(&draft->reader, "("); /* as compilers take `if ((x = y))` */
  const struct ast_expr *condition = parse_expr(draft);
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

static const struct ast_stmt *parse_block(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  struct ast_stmt *block = new_stmt(draft, AST_SEQUENCE, first);
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
    struct ast_stmt *link = new_stmt(draft, AST_SEQUENCE, reader->token);
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
    *vec_push(reader->arena, &s->values) = parse_assignment(draft);
    if (!reader_skip(reader, ",")) break;
  }
  reader_expect(reader, "}", "after the array's values");
}

static const struct ast_stmt *parse_declaration(struct draft *draft, const struct type *type,
                                                const struct token *first) {
  struct reader *reader = &draft->reader;
  struct ast_stmt *block = new_stmt(draft, AST_SEQUENCE, first);
  const struct ast_stmt **end = &block->body;
  do {
    bool pointer = false;
    while (reader_skip(reader, "*")) pointer = true;
    while (reader_skip(reader, "const") || reader_skip(reader, "restrict") || reader_skip(reader, "volatile")) continue;
    struct ast_stmt *link = new_stmt(draft, AST_SEQUENCE, reader->token);
    struct ast_stmt *s = new_stmt(draft, AST_DECLARE, reader->token);
    s->pointer = pointer;
    if (!pointer) s->width = type->width;
    s->name = reader_take_name(reader, "the name of a register");
    if (reader_skip(reader, "["))
      parse_cells(draft, s);
    else if (reader_skip(reader, "="))
      s->a = parse_assignment(draft);
    link->first = s;
    *end = link;
    end = &link->next;
  } while (reader_skip(reader, ","));
  end_statement(draft);
  return block;
}

static const struct ast_stmt *parse_if(struct draft *draft, const struct token *first) {
  struct ast_stmt *s = new_stmt(draft, AST_IF, first);
  s->a = parse_condition(draft);
  s->body = parse_statement(draft);
  if (reader_skip(&draft->reader, "else")) s->otherwise = parse_statement(draft);
  return s;
}

static const struct ast_stmt *parse_while(struct draft *draft, const struct token *first) {
  struct ast_stmt *s = new_stmt(draft, AST_WHILE, first);
  s->a = parse_condition(draft);
  s->body = parse_statement(draft);
  return s;
}

static const struct ast_stmt *parse_do(struct draft *draft, const struct token *first) {
  struct ast_stmt *s = new_stmt(draft, AST_DO, first);
  s->body = parse_statement(draft);
  reader_expect(&draft->reader, "while", "after the body of 'do'");
  s->a = parse_condition(draft);
  end_statement(draft);
  return s;
}

static const struct ast_stmt *parse_for(struct draft *draft, const struct token *first) {
  struct reader *reader = &draft->reader;
  struct ast_stmt *s = new_stmt(draft, AST_FOR, first);
  reader_expect(reader, "(", "after 'for'");
  s->first = parse_statement(draft);
  if (!reader_is(reader, ";")) s->a = parse_expr(draft);
  reader_expect(reader, ";", "after the condition of 'for'");
  if (!reader_is(reader, ")")) s->step = parse_expr(draft);
  reader_expect(reader, ")", "after the header of 'for'");
  s->body = parse_statement(draft);
  return s;
}

static const struct ast_stmt *parse_word(struct draft *draft, enum ast_stmt_kind kind, const struct token *first) {
  end_statement(draft);
  return new_stmt(draft, kind, first);
}

static bool at_barrier(const struct token *token) {
  return token_is(token, "barrier") || token_is(token, "work_group_barrier");
}

static const struct ast_stmt *parse_barrier(struct draft *draft, const char *label) {
  struct reader *reader = &draft->reader;
  const struct token *name = reader_take(reader);
  struct ast_stmt *s = new_stmt(draft, AST_BARRIER, name);
  s->name = label;
  s->scope = SCOPE_WG;
  if (!draft->dialect->barriers) reader_fail(reader, name->span, "C has no barriers");
  if (!open_call(draft, name, 1, 2, "(flags[, scope])")) return s;
  s->regions = parse_fence_flags(draft);
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
  return new_stmt(draft, AST_EMPTY, label);
}

static const struct ast_stmt *parse_keyword(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  static const char *const unsupported[] = {"switch", "goto", "case", "default", "sizeof", "struct", "typedef"};
  for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
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

static const struct ast_stmt *parse_simple(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  struct type type;
  if (reader_is(reader, "{")) return parse_block(draft);
  if (reader_skip(reader, ";")) return new_stmt(draft, AST_EMPTY, first);
  if (first->kind == TOKEN_NAME && token_is(first + 1, ":")) return parse_labelled(draft);
  if (at_barrier(first)) return parse_barrier(draft, NULL);
  if (draft_parse_type(draft, &type)) return parse_declaration(draft, &type, first);
  struct ast_stmt *s = new_stmt(draft, AST_EXPRESSION, first);
  if (!reader->failed) s->a = parse_expr(draft);
  end_statement(draft);
  return s;
}

static const struct ast_stmt *parse_statement(struct draft *draft) {
  const struct token *first = draft->reader.token;
  if (!enter(draft)) return new_stmt(draft, AST_EMPTY, first);
  const struct ast_stmt *s = parse_keyword(draft);
  if (!s) s = parse_simple(draft);
  leave(draft);
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
  unsigned stars = 0;
  while (reader_skip(reader, "*")) stars++;
  bool pointer = stars > 0;
  type.pointer |= stars > 1;
  if (type.pointer) type.width = (struct width){0};
  while (reader_skip(reader, "const") || reader_skip(reader, "restrict") || reader_skip(reader, "volatile")) continue;
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
  for (size_t i = 0; i < thread->parameters.count; i++)
    if (!strcmp(thread->parameters.at[i], name->text))
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
  body->body = parse_block(draft);
}

/* `void P0`, `void *P0`: what a thread returns, nobody sees. */
static void skip_result(struct reader *reader) {
  unsigned number;
  const struct token *name = reader->token + 1;
  if (!reader_is(reader, "void")) return;
  if (token_is(name, "*")) name++;
  while (draft_is_thread_name(name, &number) && reader->token != name) reader_take(reader);
}

void c_parse_threads(struct draft *draft) {
  struct reader *reader = &draft->reader;
  do {
    unsigned number;
    skip_result(reader);
    if (!draft_is_thread_name(reader->token, &number) && draft->threads.count) return;
    if (!draft_is_thread_name(reader->token, &number)) reader_fail_expected(reader, "a thread such as P0");
    if (!reader->failed) parse_thread(draft);
  } while (!reader->failed && !draft_at_scope_tree(draft) && !draft_at_condition(draft));
}
