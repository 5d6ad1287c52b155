/* SPDX-License-Identifier: MIT */
/* Expressions of threads in C's statements: text to tree (ast.h).
 *
 * C's, by precedence climbing over expr_infix().  What calls itself to parse
 * an expression inside another one is here, so also the operands of functions and
 * of the Linux kernel's operations; their words are in c_words.c and linux_words.c.
 */
#include <string.h>

#include "checker/base/array.h"
#include "checker/litmus/ast.h"

/* --- how deep --------------------------------------------------------------------------- */

/* A level of parentheses takes two steps, any other one or two. */
bool c_enter(struct draft *draft) {
  struct reader *reader = &draft->reader;
  if (draft->depth >= 2 * AST_NESTING_LIMIT)
    reader_fail(reader, reader->token->span, "nested too deeply (more than %d levels)", AST_NESTING_LIMIT);
  if (reader->failed) return false;
  draft->depth++;
  return true;
}

void c_leave(struct draft *draft) {
  draft->depth--;
}

/* --- making nodes ----------------------------------------------------------------------- */

static struct ast_expr *new_expr(struct draft *draft, enum ast_expr_kind kind, const struct token *first) {
  return ARENA_MAKE(draft->reader.arena, struct ast_expr, .kind = kind, .span = first->span, .height = 1);
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
  for (size_t i = 0; i < ARRAY_COUNT(operands); i++)
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
bool c_open_call(struct draft *draft, const struct token *name, unsigned least, unsigned most, const char *shape) {
  struct reader *reader = &draft->reader;
  reader_expect(reader, "(", "after the function's name");
  if (reader->failed) return false;
  unsigned count = count_arguments(reader);
  if (count >= least && count <= most) return true;
  const char *range = least < most ? arena_printf(reader->arena, "%u or ", least) : "";
  return reader_fail(reader, name->span, "'%s' takes %s%u argument%s, not %u: %s%s", name->text, range, most,
                     most == 1 ? "" : "s", count, name->text, shape);
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
    if (!c_open_call(draft, name, 1, 1, "(order)")) return;
    call->order = parse_order(draft);
    call->regions = REGION_GLOBAL | REGION_LOCAL;
    call->scope = SCOPE_NONE;
    return;
  }
  if (!c_open_call(draft, name, 2, 3, "(flags, order[, scope])")) return;
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
  if (!c_open_call(draft, name, least, most, shape)) return;
  enum function_kind kind = call->function->kind;
  call->address = c_parse_assignment(draft);
  if (kind == FUNCTION_CAS) {
    parse_comma(draft);
    call->expected = c_parse_assignment(draft);
  }
  if (kind == FUNCTION_CAS || kind == FUNCTION_STORE || kind == FUNCTION_INIT || kind == FUNCTION_RMW) {
    parse_comma(draft);
    call->value = c_parse_assignment(draft);
  }
  if (found->explicit) parse_strength(draft, call);
}

static const struct ast_expr *parse_call(struct draft *draft) {
  const struct token *name = reader_take(&draft->reader);
  bool scoped = draft->dialect->scoped;
  struct function_name found = function_find(draft->dialect, name->text);
  struct ast_call *call = ARENA_NEW(draft->reader.arena, struct ast_call);
  /* Without a scope an operation is for the device, as in the language; the
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

/* --- operations of the Linux kernel -------------------------------------------------------------- */

static void parse_linux_place(struct draft *draft, struct linux_call *call) {
  const struct token *first = draft->reader.token;
  call->location = c_parse_assignment(draft);
  if (call->location->kind != AST_DEREFERENCE && call->location->kind != AST_INDEX)
    reader_fail(&draft->reader, reader_span_from(&draft->reader, first), "'%s' takes a place in memory, such as *x",
                call->name);
}

static void parse_linux_operand(struct draft *draft, struct linux_call *call, char what) {
  if (what == 'm')
    parse_linux_place(draft, call);
  else if (what == 'o')
    linux_parse_operator(draft, call);
  else
    *(what == 'l' ? &call->location : what == 'e' ? &call->expected : &call->value) = c_parse_assignment(draft);
}

static void parse_linux_operands(struct draft *draft, struct linux_call *call, const char *operands) {
  struct reader *reader = &draft->reader;
  reader_expect(reader, "(", "before the operands");
  for (const char *what = operands; *what && !reader->failed; what++) {
    if (*what == '?' && !token_is(reader->token, ",")) break;
    if (*what == '?') what++;
    if (what != operands) reader_expect(reader, ",", "between operands");
    parse_linux_operand(draft, call, *what);
  }
  reader_expect(reader, ")", "after the operands");
}

static const struct ast_expr *parse_linux(struct draft *draft, const struct linux_operation *operation) {
  const struct token *name = reader_take(&draft->reader);
  struct linux_call *call = ARENA_NEW(draft->reader.arena, struct linux_call);
  *call =
      (struct linux_call){.kind = operation->kind, .name = name->text, .order = operation->order, .op = RMW_EXCHANGE};
  struct ast_expr *e = new_expr(draft, AST_LINUX, name);
  e->linux_call = call;
  linux_parse_annotations(draft, call);
  if (*operation->operands) parse_linux_operands(draft, call, operation->operands);
  return finish(draft, e, name);
}

/* --- expressions ---------------------------------------------------------------------------------- */

/* The operator between two operands whose text, with this ending, is the current token; EXPR_CONST: there is none. */
static enum expr_kind find_operator(const struct reader *reader, const char *ending) {
  if (reader->token->kind != TOKEN_PUNCT) return EXPR_CONST;
  const char *text = reader->token->text;
  for (int kind = 0; kind < EXPR_KINDS; kind++) {
    const char *own = expr_infix((enum expr_kind)kind).text;
    size_t length = own ? strlen(own) : 0;
    if (own && !strncmp(text, own, length) && !strcmp(text + length, ending)) return (enum expr_kind)kind;
  }
  return EXPR_CONST;
}

static const struct ast_expr *one(struct draft *draft, const struct token *token) {
  struct ast_expr *e = new_expr(draft, AST_NUMBER, token);
  e->value = 1;
  return e;
}

static const struct ast_expr *parse_primary(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  if (reader_skip(reader, "(")) {
    const struct ast_expr *inner = c_parse_expr(draft);
    reader_expect(reader, ")", "in the expression");
    return inner;
  }
  if (first->kind == TOKEN_NUMBER) {
    struct ast_expr *e = new_expr(draft, AST_NUMBER, reader_take(reader));
    e->value = first->value;
    return e;
  }
  const struct linux_operation *operation = linux_operation_here(draft);
  if (operation) return parse_linux(draft, operation);
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
      e->b = c_parse_expr(draft);
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
  for (size_t i = 0; i < ARRAY_COUNT(words); i++) type |= token_is(reader->token + 1, words[i]);
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

/* Every recursion of the grammar passes here or through c_parse_assignment. */
static const struct ast_expr *parse_unary(struct draft *draft) {
  const struct token *first = draft->reader.token;
  if (!c_enter(draft)) return new_expr(draft, AST_NUMBER, first);
  const struct ast_expr *e = parse_operand(draft);
  c_leave(draft);
  return e;
}

static const struct ast_expr *parse_binary(struct draft *draft, int least) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  const struct ast_expr *left = parse_unary(draft);
  for (;;) {
    enum expr_kind op = find_operator(reader, "");
    int binds = expr_infix(op).binds;
    if (op == EXPR_CONST || binds < least) return left;
    reader_take(reader);
    struct ast_expr *e = new_expr(draft, AST_OPERATION, first);
    e->op = op;
    e->a = left;
    e->b = parse_binary(draft, binds + 1);
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
  e->b = c_parse_expr(draft);
  reader_expect(reader, ":", "in the conditional expression");
  e->c = c_parse_assignment(draft);
  return finish(draft, e, first);
}

const struct ast_expr *c_parse_assignment(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  if (!c_enter(draft)) return new_expr(draft, AST_NUMBER, first);
  const struct ast_expr *target = parse_conditional(draft);
  enum expr_kind compound = find_operator(reader, "="); /* `<=` and the like are taken already */
  if (draft->dialect->colon_assigns && reader_is(reader, ":") && token_is(reader->token + 1, "=")) reader_take(reader);
  if (compound == EXPR_CONST && !reader_is(reader, "=")) {
    c_leave(draft);
    return target;
  }
  reader_take(reader);
  struct ast_expr *e = new_expr(draft, AST_ASSIGN, first);
  e->a = target;
  e->b = c_parse_assignment(draft);
  c_leave(draft);
  e->compound = compound != EXPR_CONST;
  if (e->compound) e->op = compound;
  return finish(draft, e, first);
}

const struct ast_expr *c_parse_expr(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  const struct ast_expr *left = c_parse_assignment(draft);
  while (reader_skip(reader, ",")) {
    struct ast_expr *e = new_expr(draft, AST_COMMA, first);
    e->a = left;
    e->b = c_parse_assignment(draft);
    left = finish(draft, e, first);
  }
  return left;
}
