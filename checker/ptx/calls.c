/* SPDX-License-Identifier: MIT */
/* Calls (PTX ISA, "call", "ret").
 *
 * A call stands between stores to its parameters, which are variables, and loads of what it returns: so the function's
 * statements take its place, in which these variables are called as the function calls its own parameters, and `ret` is
 * a jump to what follows.  Registers have numbers of their own for each call, and labels names. */
#include "checker/ptx/calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/text.h"

enum { MOST_CALLS = 2000, DEEPEST = 32 };

struct renaming {
  const char *from, *to;
};

struct inlining {
  struct arena *arena;
  struct ptx_module *module;
  struct diags *diags;
  struct ptx_entry *kernel; /* that is made */
  unsigned calls;
  const struct ptx_function *within[DEEPEST];
  unsigned depth;
  bool failed;
};

struct call {
  const struct ptx_function *function;
  const char *guard; /* `@%p1`; NULL: none */
  const char *const *arguments, *const *results;
  size_t argument_count, result_count;
};

static void fail(struct inlining *in, struct span span, const char *what, const char *name) {
  if (!in->failed) diag_error(in->diags, in->module->source, span, "%s%s", what, name);
  in->failed = true;
}

/* ---- which call it is ---- */

/* `(param0, param1)`, and past it. */
static const char *const *take_names(struct arena *arena, char **at, size_t *count) {
  *count = 0;
  *at += strspn(*at, " ,");
  if (**at != '(') return NULL;
  char *names = *at + 1, *end = strchr(names, ')');
  if (!end) return NULL;
  *end = '\0';
  *at = end + 1;
  return (const char *const *)text_split(arena, names, ", ", count);
}

/* `call.uni (retval0), f, (param0, param1);` of a function whose body is known.  false: the statement is none. */
static bool read_call(struct inlining *in, const char *statement, struct call *call) {
  char *text = arena_strdup(in->arena, statement);
  *call = (struct call){0};
  if (*text == '@') {
    char *guard = text;
    text += strcspn(text, " ");
    if (*text) *text++ = '\0';
    call->guard = guard;
  }
  if (!text_begins(text, "call ") && !text_begins(text, "call.uni ")) return false;
  text += strcspn(text, " ");
  call->results = take_names(in->arena, &text, &call->result_count);
  text += strspn(text, " ,");
  char *name = text;
  text += strcspn(text, " ,;");
  if (*text) *text++ = '\0';
  size_t errors = in->diags->errors;
  call->function = ptx_module_function(in->arena, in->module, name, in->diags);
  in->failed |= in->diags->errors > errors;
  call->arguments = take_names(in->arena, &text, &call->argument_count);
  return call->function != NULL;
}

/* ---- statements of a function ---- */

static bool is_name_char(char c) {
  return is_word_char(c) || c == '$' || c == '%' || c == '#';
}

/* `%r7` with another number, if it is a register that the function has. */
static const char *other_register(struct arena *arena, const struct ptx_function *function, const char *name,
                                  unsigned call) {
  if (*name != '%') return NULL;
  size_t kind = 1 + strspn(name + 1, "rdsp");
  int64_t number;
  bool own = kind > 1 && text_is_number(name + kind, function->first_register, function->next_register - 1, &number);
  return own ? arena_printf(arena, "%.*s%" PRIu64, (int)kind, name, (uint64_t)call << 32 | (uint64_t)number) : NULL;
}

static const char *renamed(struct arena *arena, const struct ptx_function *function, const struct renaming *all,
                           size_t count, const char *name, unsigned call) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(all[i].from, name)) return all[i].to;
  const char *other = other_register(arena, function, name, call);
  return other ? other : name;
}

static const char *rename_all(struct arena *arena, const struct ptx_function *function, const struct renaming *all,
                              size_t count, const char *text, unsigned call) {
  struct text out = text_new();
  while (*text) {
    size_t length = 0;
    while (is_name_char(text[length])) length++;
    if (length)
      fputs(renamed(arena, function, all, count, arena_strndup(arena, text, length), call), out.out);
    else
      fputc(text[length++], out.out);
    text += length;
  }
  return text_keep(&out, arena);
}

static void add(struct inlining *in, const char *text, struct span span) {
  *vec_push(in->arena, &in->kernel->statements) = (struct ptx_statement){text, span};
}

static void add_statement(struct inlining *in, const struct ptx_statement *statement);

/* `ret`, with the guard that it may have; NULL: it is none. */
static const char *jump_for_return(struct arena *arena, const char *text, const char *end) {
  size_t guard = *text == '@' ? strcspn(text, " ") + 1 : 0;
  bool returns = text_begins(text + guard, "ret;") || text_begins(text + guard, "ret.uni;");
  return returns ? arena_printf(arena, "%.*sbra %s;", (int)guard, text, end) : NULL;
}

static bool has_variable(const struct ptx_entry *entry, const char *name) {
  ARRAY_EACH (const struct ptx_variable, variable, entry->variables.at, entry->variables.count)
    if (!strcmp(variable->name, name)) return true;
  return false;
}

static void put_in(struct inlining *in, const struct call *call, struct span span) {
  const struct ptx_function *function = call->function;
  unsigned number = ++in->calls;
  VEC(struct renaming) names = {0};
  const char *end = arena_printf(in->arena, "$called%u", number);
  for (size_t i = 0; i < call->argument_count; i++)
    *vec_push(in->arena, &names) = (struct renaming){function->entry.parameters.at[i].name, call->arguments[i]};
  for (size_t i = 0; i < call->result_count; i++)
    *vec_push(in->arena, &names) = (struct renaming){function->results.at[i].name, call->results[i]};
  ARRAY_EACH (const struct ptx_variable, variable, function->entry.variables.at, function->entry.variables.count) {
    struct ptx_variable own = *variable;
    bool of_call = variable->space == PTX_LOCAL || variable->space == PTX_PARAM;
    if (of_call) own.name = arena_printf(in->arena, "%s#%u", variable->name, number);
    if (of_call) *vec_push(in->arena, &names) = (struct renaming){variable->name, own.name};
    if (of_call || !has_variable(in->kernel, own.name)) *vec_push(in->arena, &in->kernel->variables) = own;
  }
  ARRAY_EACH (const struct ptx_statement, statement, function->entry.statements.at, function->entry.statements.count) {
    size_t length = strcspn(statement->text, ":");
    if (statement->text[length] != ':' || memchr(statement->text, ' ', length)) continue;
    const char *label = arena_strndup(in->arena, statement->text, length);
    *vec_push(in->arena, &names) = (struct renaming){label, arena_printf(in->arena, "%s#%u", label, number)};
  }
  if (call->guard) {
    bool negated = call->guard[1] == '!';
    add(in, arena_printf(in->arena, "@%s%s bra %s;", negated ? "" : "!", call->guard + 1 + negated, end), span);
  }
  in->within[in->depth++] = function;
  ARRAY_EACH (const struct ptx_statement, statement, function->entry.statements.at, function->entry.statements.count) {
    const char *text = rename_all(in->arena, function, names.at, names.count, statement->text, number);
    const char *jump = jump_for_return(in->arena, text, end);
    add_statement(in, &(struct ptx_statement){jump ? jump : text, statement->span});
  }
  in->depth--;
  add(in, arena_printf(in->arena, "%s:", end), span);
}

static bool is_within(const struct inlining *in, const struct ptx_function *function) {
  for (unsigned i = 0; i < in->depth; i++)
    if (in->within[i] == function) return true;
  return false;
}

static void add_statement(struct inlining *in, const struct ptx_statement *statement) {
  struct call call;
  if (in->failed) return;
  if (!read_call(in, statement->text, &call)) {
    add(in, statement->text, statement->span);
    return;
  }
  const struct ptx_function *function = call.function;
  const char *name = function->entry.name;
  if (is_within(in, function) || in->depth == DEEPEST)
    fail(in, statement->span, "a function that calls itself is not supported: ", name);
  else if (function->in_registers)
    fail(in, statement->span, "a function with parameters in registers is not supported: ", name);
  else if (call.argument_count != function->entry.parameters.count || call.result_count != function->results.count)
    fail(in, statement->span, "the call has not as many parameters as the function ", name);
  else if (in->calls == MOST_CALLS)
    fail(in, statement->span, "there are too many calls", "");
  else
    put_in(in, &call, statement->span);
}

const struct ptx_entry *ptx_calls_inline(struct arena *arena, struct ptx_module *module, const struct ptx_entry *kernel,
                                         struct diags *diags) {
  struct ptx_entry *made = ARENA_COPY(arena, struct ptx_entry, kernel, 1);
  struct inlining in = {.arena = arena, .module = module, .diags = diags, .kernel = made};
  memset(&made->statements, 0, sizeof made->statements);
  memset(&made->variables, 0, sizeof made->variables);
  ARRAY_EACH (const struct ptx_variable, variable, kernel->variables.at, kernel->variables.count)
    *vec_push(arena, &made->variables) = *variable;
  ARRAY_EACH (const struct ptx_statement, statement, kernel->statements.at, kernel->statements.count)
    add_statement(&in, statement);
  return in.failed ? NULL : made;
}
