/* SPDX-License-Identifier: MIT */
/* The machine that runs statements: see run_statements.h. */
#include "checker/cat/run_statements.h"

#include <string.h>

#include "checker/base/vec.h"
#include "checker/cat/bell.h"
#include "checker/cat/bind.h"
#include "checker/cat/match_if_try.h"
#include "checker/cat/orders_on_candidate.h"

/* Deepest nesting of procedures and includes, and most elements of a forall. */
enum { FRAME_LIMIT = 10000 };

/* Runs a block next; returns the frame to go back to, NULL after an error. */
static struct run_frame *push(struct runner *runner, struct run_state *state, const struct statement *const *at,
                              unsigned count) {
  unsigned depth = state->below ? state->below->depth + 1 : 0;
  if (depth >= FRAME_LIMIT) {
    const struct statement *statement = state->at[-1];
    eval_error(runner->eval, statement->source, statement->span,
               "statements nest more than %d levels deep; does a recursive procedure never end?", FRAME_LIMIT);
    runner->failed = true;
    return NULL;
  }
  struct run_frame *frame = ARENA_MAKE(runner->eval->arena, struct run_frame, state->at, state->remaining, state->chain,
                                       NULL, false, depth, NULL, state->below);
  state->below = frame;
  state->at = at;
  state->remaining = count;
  return frame;
}

/* As push; at the end of the block the names in sight are again those of now. */
static struct run_frame *push_scope(struct runner *runner, struct run_state *state, const struct statement *const *at,
                                    unsigned count) {
  struct run_frame *frame = push(runner, state, at, count);
  if (!frame) return NULL;
  frame->env = state->env;
  frame->sets_env = true;
  return frame;
}

static void pop(struct run_state *state) {
  const struct run_frame *frame = state->below;
  state->at = frame->at;
  state->remaining = frame->remaining;
  state->chain = frame->chain;
  if (frame->sets_env) state->env = frame->env;
  state->below = frame->below;
}

/* ---- checks ---------------------------------------------------------- */

/* The check's text with its spaces squeezed, for a check without a name. */
static const char *text_of_check(struct eval *e, const struct statement *statement, const struct test_syntax *test) {
  const char *text = statement->source->text + test->span.at;
  char *squeezed = arena_alloc(e->arena, test->span.length + 1);
  size_t length = 0;
  for (uint32_t i = 0; i < test->span.length; i++) {
    bool blank = text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r');
    if (!blank)
      squeezed[length++] = text[i];
    else if (length && squeezed[length - 1] != ' ')
      squeezed[length++] = ' ';
  }
  squeezed[length] = '\0';
  return squeezed;
}

static struct cat_check check_of(struct eval *e, const struct statement *statement, const struct test_syntax *test) {
  static const enum cat_check_kind kinds[] = {CHECK_ACYCLIC, CHECK_IRREFLEXIVE, CHECK_EMPTY};
  static const enum cat_check_role roles[] = {ROLE_REQUIRE, ROLE_UNDEFINED, ROLE_FLAG, ROLE_FLAG, ROLE_REQUIRE};
  return (struct cat_check){.kind = kinds[test->kind],
                            .role = roles[test->role],
                            .negated = test->negated != (test->role == TEST_ASSERT),
                            .name = test->name ? test->name->text : text_of_check(e, statement, test),
                            .span = test->span,
                            .source = statement->source};
}

/* The names of the calls that are being run. */
static const char *const *calls_of(struct eval *e, const struct run_state *state) {
  VEC(const char *) names = {0};
  for (const struct run_frame *frame = state->below; frame; frame = frame->below) {
    if (!frame->call) continue;
    *vec_push(e->arena, &names) = frame->call->symbol->text;
    if (frame->call->as) *vec_push(e->arena, &names) = frame->call->as->text;
  }
  if (names.count) *vec_push(e->arena, &names) = NULL;
  return names.at;
}

static bool is_set(const struct eval *e, const struct value *value) {
  return value->kind == VALUE_NODE && graph_type(e->graph, value->node) == CAT_SET;
}

/* False after an error, or when the check ended this way of running. */
static bool run_test(struct runner *runner, struct run_state *state, const struct statement *statement,
                     const struct test_syntax *test) {
  struct eval *e = runner->eval;
  if (test->role == TEST_IGNORED) return true;
  const struct value *value = eval_exp(e, state->env, test->body);
  bool later = false;
  enum cat_type type = value && test->kind == TEST_EMPTY && is_set(e, value) ? CAT_SET : CAT_REL;
  uint32_t node = value ? eval_node(e, value, type, test->body, &later) : UINT32_MAX;
  if (node == UINT32_MAX && !later) {
    runner->failed = true;
    return false;
  }
  struct cat_check check = check_of(e, statement, test);
  check.node = node;
  check.calls = calls_of(e, state);
  return runner->check(runner, state, &check, !later);
}

/* ---- values that wait for a candidate ---------------------------------- */

static bool holds_later(const struct value *value) {
  if (value->kind == VALUE_LATER) return true;
  if (value->kind != VALUE_TUPLE && value->kind != VALUE_SET) return false;
  for (unsigned i = 0; i < value->count; i++)
    if (holds_later(value->items[i])) return true;
  return false;
}

/* To be called before such a value is bound: the interpreter must begin here. */
static void note_later(struct runner *runner, const struct run_state *state, const struct value *value) {
  if (runner->later && value && holds_later(value)) runner->later(runner, state);
}

/* ---- definitions ----------------------------------------------------- */

/* The reports' names: each node takes the first let that bound it. */
static void name_nodes(struct eval *e, const struct binding *from, const struct binding *to) {
  for (; from != to; from = from->next) {
    if (!from->value || from->value->kind != VALUE_NODE) continue;
    uint32_t node = from->value->node;
    graph_name(e->graph, node, from->symbol->text);
    if (graph_at(e->graph, node)->ir.op == CAT_REC)
      graph_name(e->graph, graph_at(e->graph, node)->ir.a, from->symbol->text);
  }
}

static bool run_let(struct runner *runner, struct run_state *state, const struct statement *statement) {
  bool ok;
  /* As in herd7, a definition is looked at when it is used, but for recursive ones. */
  bool defer = !statement->recursive || (state->chain && state->chain->parent);
  struct let let = {statement->bindings, statement->binding_count, statement->recursive};
  const struct binding *env = eval_bindings(runner->eval, state->env, let, defer, &ok);
  if (!ok) {
    runner->failed = true;
    return false;
  }
  if (runner->eval->graph->below == NULL) name_nodes(runner->eval, env, state->env);
  for (const struct binding *b = env; b != state->env; b = b->next) note_later(runner, state, b->value);
  state->env = env;
  return !statement->test || run_test(runner, state, statement, statement->test);
}

static void run_enum(struct runner *runner, struct run_state *state, const struct statement *statement) {
  struct eval *e = runner->eval;
  struct value *set = ARENA_MAKE(e->arena, struct value, .kind = VALUE_SET,
                                 .items = ARENA_ARRAY(e->arena, const struct value *, statement->name_count));
  for (unsigned i = 0; i < statement->name_count; i++) {
    struct value *tag = ARENA_MAKE(e->arena, struct value, .kind = VALUE_TAG, .tag = statement->names[i],
                                   .enumeration = statement->symbol);
    unsigned at = set->count;
    while (at && strcmp(set->items[at - 1]->tag->text, tag->tag->text) > 0) at--;
    if (at && set->items[at - 1]->tag == tag->tag) continue;
    memmove(set->items + at + 1, set->items + at, (set->count - at) * sizeof *set->items);
    set->items[at] = tag;
    set->count++;
  }
  state->env = bind_name(e, state->env, statement->symbol, set);
}

static void run_procedure(struct runner *runner, struct run_state *state, const struct statement *statement) {
  struct value *procedure =
      ARENA_MAKE(runner->eval->arena, struct value, .kind = VALUE_PROCEDURE, .procedure = statement, .env = state->env);
  state->env = bind_name(runner->eval, state->env, statement->symbol, procedure);
  if (statement->recursive) procedure->env = state->env;
}

/* A predefined procedure, parsed where it is called. */
static const struct value *builtin_procedure(struct runner *runner, const struct builtin *builtin) {
  struct eval *e = runner->eval;
  const struct source *source = source_from_text(e->arena, "(predefined)", builtin->text, strlen(builtin->text));
  struct file *file = cat_parse(e->arena, e->symbols, source, e->diags);
  if (!file) return NULL;
  return ARENA_MAKE(e->arena, struct value, .kind = VALUE_PROCEDURE, .procedure = file->body.at[0]);
}

static const struct value *find_procedure(struct runner *runner, const struct run_state *state,
                                          const struct statement *statement) {
  const struct builtin *builtin = statement->symbol->builtin;
  const struct binding *env = state->env;
  while (env && env->symbol != statement->symbol) env = env->next;
  if (!env && builtin && builtin->kind == BUILTIN_PROCEDURE) return builtin_procedure(runner, builtin);
  const struct value *value =
      eval_name(runner->eval, state->env, statement->symbol, statement->source, statement->span);
  if (!value || value->kind == VALUE_PROCEDURE) return value;
  eval_error(runner->eval, statement->source, statement->span, "expected a procedure, found %s",
             value_describe(runner->eval, value));
  return NULL;
}

static bool run_call(struct runner *runner, struct run_state *state, const struct statement *statement) {
  const struct value *procedure = find_procedure(runner, state, statement);
  const struct value *argument = procedure ? eval_exp(runner->eval, state->env, statement->exp) : NULL;
  bool ok = argument != NULL;
  const struct binding *inner =
      ok ? bind_pattern(runner->eval, procedure->env, &procedure->procedure->pattern, argument, statement->exp, &ok)
         : NULL;
  runner->failed |= !ok;
  if (!ok) return false;
  note_later(runner, state, argument);
  struct run_frame *frame = push_scope(runner, state, procedure->procedure->body.at, procedure->procedure->body.count);
  if (frame) frame->call = statement;
  state->env = inner;
  return !runner->failed;
}

/* ---- control --------------------------------------------------------- */

/* The elements of a set of values, or NULL: undecided, or *failed. */
static const struct value *elements_of(struct runner *runner, const struct run_state *state,
                                       const struct statement *statement) {
  const struct value *value = eval_exp(runner->eval, state->env, statement->exp);
  if (!value) {
    runner->failed = true;
    return NULL;
  }
  value = force_set(runner->eval, value);
  switch (value->kind) {
    case VALUE_NONE:
    case VALUE_SET:
      return value;
    case VALUE_CLASSES:
    case VALUE_PARTS:
    case VALUE_ORDERS:
    case VALUE_LATER:
      return NULL;
    default:
      eval_error(runner->eval, statement->exp->source, statement->exp->span, "expected a set of values, found %s",
                 value_describe(runner->eval, value));
      runner->failed = true;
      return NULL;
  }
}

/* The body once for each element, then the rest with the names of before. */
static bool run_forall(struct runner *runner, struct run_state *state, const struct statement *statement) {
  const struct value *set = elements_of(runner, state, statement);
  bool stop = false;
  if (!set) return !runner->failed && runner->undecided(runner, state, statement, &stop) && !stop;
  note_later(runner, state, set);
  const struct binding *env = state->env;
  for (unsigned i = set->count; i-- && !runner->failed;) {
    push_scope(runner, state, statement->body.at, statement->body.count);
    state->env = bind_name(runner->eval, env, statement->symbol, set->items[i]);
  }
  return !runner->failed;
}

static bool run_match(struct runner *runner, struct run_state *state, const struct statement *statement) {
  const struct value *value = eval_exp(runner->eval, state->env, statement->exp);
  bool stop = false;
  if (value && value->kind == VALUE_LATER) return runner->undecided(runner, state, statement, &stop) && !stop;
  runner->failed |= !value;
  if (!value) return false;
  for (unsigned i = 0; i < statement->clause_count && value->kind == VALUE_TAG; i++) {
    const struct clause *clause = &statement->clauses[i];
    if (clause->tag && clause->tag != value->tag) continue;
    push(runner, state, clause->statements, clause->statement_count);
    return !runner->failed;
  }
  if (value->kind == VALUE_TAG)
    eval_error(runner->eval, statement->source, statement->span, "no clause for '%s", value->tag->text);
  else
    eval_error(runner->eval, statement->exp->source, statement->exp->span, "expected a tag, found %s",
               value_describe(runner->eval, value));
  runner->failed = true;
  return false;
}

static bool run_with(struct runner *runner, struct run_state *state, const struct statement *statement) {
  const struct value *value = eval_exp(runner->eval, state->env, statement->exp);
  if (!value) {
    runner->failed = true;
    return false;
  }
  const struct value *chosen = runner->choose(runner, state, statement, value);
  if (!chosen) return false;
  state->env = bind_name(runner->eval, state->env, statement->symbol, chosen);
  return true;
}

static bool run_include(struct runner *runner, struct run_state *state, const struct statement *statement) {
  bool skip = false;
  const struct file *file = runner->include(runner, state, statement, &skip);
  if (skip) return true;
  if (!file) {
    runner->failed = true;
    return false;
  }
  push(runner, state, file->body.at, file->body.count);
  struct chain *chain = ARENA_MAKE(runner->eval->arena, struct chain, file, file->source->name, state->chain);
  state->chain = chain;
  return !runner->failed;
}

static bool run_show(struct runner *runner, struct run_state *state, const struct statement *statement) {
  struct eval *e = runner->eval;
  if (!runner->show) return true;
  if (statement->kind == STMT_SHOW_AS) {
    const struct value *value = eval_exp(e, state->env, statement->exp);
    runner->failed |= !value;
    if (value) runner->show(runner, state, statement, 0, value);
    return value != NULL;
  }
  for (unsigned i = 0; i < statement->name_count; i++) {
    e->silent++; /* as in herd, names that mean nothing are not shown */
    const struct value *value = statement->kind == STMT_UNSHOW ? NULL
                                                               : eval_name(e, state->env, statement->names[i],
                                                                           statement->source, statement->name_spans[i]);
    e->silent--;
    runner->show(runner, state, statement, i, value);
  }
  return true;
}

static bool run_statement(struct runner *runner, struct run_state *state, const struct statement *statement) {
  switch (statement->kind) {
    case STMT_LET:
      return run_let(runner, state, statement);
    case STMT_MATCH:
      return run_match(runner, state, statement);
    case STMT_TEST:
      return run_test(runner, state, statement, statement->test);
    case STMT_SHOW:
    case STMT_UNSHOW:
    case STMT_SHOW_AS:
      return run_show(runner, state, statement);
    case STMT_INCLUDE:
      return run_include(runner, state, statement);
    case STMT_PROCEDURE:
      run_procedure(runner, state, statement);
      return true;
    case STMT_CALL:
      return run_call(runner, state, statement);
    case STMT_ENUM:
      run_enum(runner, state, statement);
      return true;
    case STMT_FORALL:
      return run_forall(runner, state, statement);
    case STMT_WITH:
      return run_with(runner, state, statement);
    case STMT_IF: {
      bool holds = eval_variants(runner->eval, statement->condition);
      const struct block *block = holds ? &statement->body : &statement->other;
      push(runner, state, block->at, block->count);
      return !runner->failed;
    }
    case STMT_INSTRUCTIONS:
      return bell_declare(runner, state, statement);
    case STMT_NOTHING:
      return true;
  }
  return true;
}

void run_from(struct runner *runner, struct run_state state) {
  for (;;) {
    while (!state.remaining) {
      if (!state.below) {
        runner->finish(runner, &state);
        return;
      }
      pop(&state);
    }
    state.remaining--;
    const struct statement *statement = *state.at++;
    if (!run_statement(runner, &state, statement)) return;
  }
}
