/* SPDX-License-Identifier: MIT */
/* The interpreter: what a model asks that only a complete candidate decides.
 *
 * It continues the loaded model from its first undecided statement with the
 * same machine and evaluator, on a private graph above the model's, in which
 * nodes are forced to words on demand.  Orders are listed one at a time, and
 * the rest of the model runs once for each.
 */
#include <string.h>

#include "checker/cat/bind.h"
#include "checker/cat/node_operators.h"
#include "checker/cat/node_values_on_candidate.h"
#include "checker/cat/orders_on_candidate.h"
#include "checker/cat/run_statements.h"

/* Of evaluation, for each way: choices made by `with` start anew. */
enum { STEP_LIMIT = 1000000 };

/* Choices that may depend on each other. */
enum { CHOICE_LIMIT = 200 };

struct interpreter {
  struct runner runner;
  struct eval eval;
  struct force force;
  const struct cat_model *model;
  void (*each)(void *context, const struct cat_outcome *outcome);
  void *context;
  unsigned ways;
  const char *first_failed;
  unsigned choices; /* made on the way to here */
};

/* ---- checks ---------------------------------------------------------- */

static bool holds(struct eval *e, const struct cat_check *check, const word *words) {
  struct shape shape = force_shape(e);
  word scratch[shape.w];
  return node_check(shape, check->kind, graph_type(e->graph, check->node), words, scratch) != check->negated;
}

static void raise_name(struct eval *e, struct run_state *state, const char *name, bool undefined) {
  for (const struct run_raised *raised = state->raised; raised; raised = raised->next)
    if (!strcmp(raised->name, name)) return;
  struct run_raised *raised = ARENA_MAKE(e->arena, struct run_raised, name, undefined, state->raised);
  state->raised = raised;
}

static bool is_skipped(const struct cat_env *env, const char *name) {
  return env->skip && env->skip(env->context, name);
}

/* False when an axiom fails. */
static bool run_check(struct runner *runner, struct run_state *state, const struct cat_check *check, bool known) {
  struct interpreter *interpreter = runner->context;
  struct eval *e = runner->eval;
  if (interpreter->force.env->through && check->role == ROLE_REQUIRE) return true;
  bool skipped = is_skipped(interpreter->force.env, check->name);
  if (skipped && !interpreter->model->strict) return true;
  const word *words = known ? force_node(e, check->node) : NULL;
  if (!words) {
    eval_error(e, check->source, check->span, "this check depends on a value that a candidate does not decide");
    runner->failed = true;
    return false;
  }
  bool result = holds(e, check, words);
  if (skipped) return !result;
  const struct cat_env *env = interpreter->force.env;
  if (env->told && result == (check->role == ROLE_FLAG))
    env->told(env->context, check, words, graph_type(e->graph, check->node) == CAT_SET);
  if (check->role == ROLE_REQUIRE) {
    if (!result && !interpreter->first_failed) interpreter->first_failed = check->name;
    return result;
  }
  if (result == (check->role == ROLE_FLAG)) raise_name(e, state, check->name, check->role == ROLE_UNDEFINED);
  return true;
}

/* ---- choices --------------------------------------------------------- */

/* Runs the rest of a model once for each choice, each in its own memory. */
struct branching {
  struct runner *runner;
  const struct run_state *state;
  struct symbol *symbol;
};

static void run_branch(struct branching *branching, const struct value *value, const word *order) {
  struct runner *runner = branching->runner;
  struct eval *e = runner->eval, outer = *e;
  struct arena *arena = arena_new();
  struct graph graph = graph_new(arena, outer.graph);
  e->arena = arena;
  e->graph = &graph;
  if (!value) {
    size_t words = rel_words(force_shape(e));
    word *copy = ARENA_COPY(arena, word, order, words);
    value = value_node(e, graph_leaf(&graph, CAT_REL, copy));
  }
  struct run_state state = *branching->state;
  state.env = bind_name(e, state.env, branching->symbol, value);
  e->steps = 0;
  e->broken = force_stopped(e);
  struct interpreter *interpreter = runner->context;
  interpreter->choices++;
  if (!e->broken) run_from(runner, state);
  interpreter->choices--;
  runner->failed |= e->broken;
  *e = outer;
  arena_free(arena);
}

static bool run_order(void *context, const word *order) {
  struct branching *branching = context;
  run_branch(branching, NULL, order);
  return !branching->runner->failed;
}

static const struct value *choose(struct runner *runner, struct run_state *state, const struct statement *statement,
                                  const struct value *value) {
  struct interpreter *interpreter = runner->context;
  struct eval *e = runner->eval;
  struct branching branching = {runner, state, statement->symbol};
  if (interpreter->choices >= CHOICE_LIMIT) {
    eval_error(e, statement->source, statement->span, "more than %d choices depend on each other", CHOICE_LIMIT);
    runner->failed = true;
    return NULL;
  }
  if (value->kind == VALUE_ORDERS) {
    if (force_orders(e, value, &branching, run_order)) return NULL;
  } else {
    value = force_set(e, value);
  }
  if (value->kind == VALUE_NONE) return NULL;
  if (value->kind != VALUE_SET) {
    eval_error(e, statement->exp->source, statement->exp->span, "expected a set of values, found %s",
               value_describe(e, value));
    runner->failed = true;
    return NULL;
  }
  for (unsigned i = 0; i < value->count && !runner->failed; i++) run_branch(&branching, value->items[i], NULL);
  return NULL;
}

static bool refuse_undecided(struct runner *runner, const struct run_state *state, const struct statement *statement,
                             bool *stop) {
  (void)state;
  eval_error(runner->eval, statement->source, statement->span,
             "this statement depends on a value that a candidate does not decide");
  runner->failed = *stop = true;
  return false;
}

static const struct file *find_included(struct runner *runner, const struct run_state *state,
                                        const struct statement *statement, bool *skip) {
  (void)runner;
  (void)state;
  *skip = !*statement->file;
  return *statement->file;
}

/* ---- the whole ------------------------------------------------------- */

static void report_way(struct runner *runner, const struct run_state *state) {
  struct interpreter *interpreter = runner->context;
  unsigned count = 0;
  for (const struct run_raised *raised = state->raised; raised; raised = raised->next) count++;
  const char **names = ARENA_ARRAY(runner->eval->arena, const char *, count);
  bool *undefined = ARENA_ARRAY(runner->eval->arena, bool, count);
  unsigned at = count;
  for (const struct run_raised *raised = state->raised; raised; raised = raised->next) {
    names[--at] = raised->name;
    undefined[at] = raised->undefined;
  }
  interpreter->ways++;
  if (interpreter->each) interpreter->each(interpreter->context, &(struct cat_outcome){names, undefined, count});
}

/* The checks before the first undecided statement. */
static bool run_early(struct interpreter *interpreter, struct run_state *state) {
  const struct cat_ast *ast = interpreter->model->ast;
  for (unsigned i = 0; i < ast->early_count; i++)
    if (!run_check(&interpreter->runner, state, &ast->early[i], true)) return false;
  return true;
}

static void start(struct interpreter *interpreter, const struct cat_env *env, struct arena *scratch,
                  struct graph *graph, struct symbols *symbols, struct diags *diags) {
  const struct cat_ast *ast = interpreter->model->ast;
  *graph = graph_new(scratch, &ast->graph);
  *symbols = symbols_above(scratch, &ast->symbols);
  interpreter->force = (struct force){.arena = scratch, .env = env, .base_count = ast->graph.count};
  interpreter->force.base = ARENA_ARRAY(scratch, const word *, ast->graph.count);
  const struct value **defined = ARENA_COPY(scratch, const struct value *, ast->defined, builtins_defined_count());
  uint32_t *views = ast->views ? ARENA_ARRAY(scratch, uint32_t, BASE_COUNT) : NULL;
  if (views) memcpy(views, ast->views, BASE_COUNT * sizeof *views);
  interpreter->eval = (struct eval){.arena = scratch,
                                    .graph = graph,
                                    .symbols = symbols,
                                    .diags = diags,
                                    .variants = ast->variants,
                                    .variant_count = ast->variant_count,
                                    .defined = defined,
                                    .views = views,
                                    .step_limit = STEP_LIMIT,
                                    .force = &interpreter->force};
  interpreter->runner = (struct runner){.eval = &interpreter->eval,
                                        .context = interpreter,
                                        .check = run_check,
                                        .choose = choose,
                                        .undecided = refuse_undecided,
                                        .include = find_included,
                                        .finish = report_way};
}

unsigned cat_interpret(const struct cat_model *model, const struct cat_env *env, struct arena *scratch,
                       void (*each)(void *context, const struct cat_outcome *outcome), void *context,
                       const char **failed) {
  struct interpreter interpreter = {.model = model, .each = each, .context = context};
  struct graph graph;
  struct symbols symbols;
  struct diags errors = diags_new(scratch);
  start(&interpreter, env, scratch, &graph, &symbols, env->diags ? env->diags : &errors);
  struct run_state state = model->ast->resume;
  state.raised = NULL;
  if (run_early(&interpreter, &state)) {
    if (model->ir.dynamic)
      run_from(&interpreter.runner, state);
    else
      report_way(&interpreter.runner, &state);
  }
  if (failed) *failed = interpreter.first_failed;
  return interpreter.runner.failed ? 0 : interpreter.ways;
}
