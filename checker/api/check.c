/* SPDX-License-Identifier: MIT */
/* Tests, models and verdicts of litscope.h: each an object in an arena of its
 * own, with its strings made when it is. */

#include "checker/api/objects.h"
#include "checker/base/text.h"
#include "checker/explain/why_forbidden.h"
#include "checker/models_in_c/models_in_c.h"
#include "checker/report/json.h"
#include "checker/report/log.h"

static const struct span nowhere;

/* ---- tests ---- */

struct test_arguments {
  const char *name, *text;
  size_t size;
};

static void make_test(struct api_call *call) {
  const struct test_arguments *arguments = call->arguments;
  if (!arguments->name) {
    diag_fail(&call->diags, "no test is given");
    return;
  }
  struct arena *arena = call->object = arena_new();
  api_begin_reading(call);
  const struct source *source = arguments->text
                                    ? source_from_text(arena, arguments->name, arguments->text, arguments->size)
                                    : source_read(arena, arguments->name, &call->diags);
  struct litmus_options options = {0};
  const struct litmus_test *test = source ? litmus_parse(arena, source, &options, &call->diags) : NULL;
  api_end_reading();
  if (!test) return;
  litscope_test *made = ARENA_MAKE(arena, litscope_test, arena, test);
  call->result = made;
}

litscope_test *litscope_test_read(litscope *session, const char *path) {
  return api_run(session, make_test, &(struct test_arguments){.name = path});
}

litscope_test *litscope_test_parse(litscope *session, const char *name, const char *text, size_t size) {
  return api_run(session, make_test, &(struct test_arguments){text ? name : NULL, text, size});
}

API_FREES(test);
API_TELLS(const char *, test, name, test->test->name, NULL);
API_TELLS(const char *, test, condition, test->test->condition_text, NULL);
API_TELLS(const char *, test, hash, test->test->hash, NULL);
API_TELLS(const char *, test, default_model, litmus_default_model(test->test->language), NULL);

/* ---- models ---- */

static void make_model(struct api_call *call) {
  const char *name = call->arguments;
  if (!name) {
    diag_fail(&call->diags, "no model is named");
    return;
  }
  struct arena *arena = call->object = arena_new();
  struct cat_search search = {0};
  search.folders = api_folders(call->session, arena, "models", &search.folder_count);
  api_begin_reading(call);
  struct cat_model *model = cat_load(arena, name, &search, &call->diags);
  api_end_reading();
  if (!model) return;
  native_attach(model);
  litscope_model *made = ARENA_MAKE(arena, litscope_model, arena, model);
  call->result = made;
}

litscope_model *litscope_model_load(litscope *session, const char *name) {
  return api_run(session, make_model, name);
}

API_FREES(model);
API_TELLS(const char *, model, name, model->model->ir.name, NULL);

/* ---- verdicts ---- */

struct litscope_verdict {
  struct arena *arena;
  const struct verdict *verdict;
  const char **states, **observables;
  const char *why, *log, *json;
};

struct check_arguments {
  const litscope_test *test;
  const litscope_model *model;
  const litscope_options *options;
};

struct enumerate_options api_engine_options(const litscope *session, const litscope_options *options) {
  struct enumerate_options engine = {.unroll = 2, .prune = true, .workers = 1, .cancel = api_cancelled(session)};
  if (!options) return engine;
  if (options->unroll) engine.unroll = options->unroll;
  engine.max_events = options->max_events;
  engine.max_memory = options->max_memory;
  engine.timeout = options->timeout > 0 ? options->timeout : 0;
  if (options->workers > 1) engine.workers = options->workers;
  return engine;
}

static void add_names(litscope_verdict *made) {
  const struct verdict *v = made->verdict;
  const struct litmus_test *test = v->test;
  made->states = ARENA_ARRAY(made->arena, const char *, v->states.count + 1);
  for (size_t i = 0; i < v->states.count; i++)
    made->states[i] = log_state_text(made->arena, test, v->states.at[i].values);
  made->observables = ARENA_ARRAY(made->arena, const char *, test->observable_count + 1);
  for (unsigned i = 0; i < test->observable_count; i++)
    made->observables[i] = log_observable_text(made->arena, test, test->observables[i]);
}

static void add_reports(litscope_verdict *made, const litscope_model *model, const struct enumerate_options *engine) {
  const struct verdict *v = made->verdict;
  bool cut;
  made->why = why_text(made->arena, v, model->model, engine, &cut);
  made->log = TEXT_PRINTED(made->arena, out, log_write(out, v, false, made->why));
  made->json = TEXT_PRINTED(made->arena, out, json_write_verdict(out, v, made->why));
}

/* What the engine ended with, for the session: a model that cannot be evaluated is bad input. */
static void note_end(struct api_call *call, const struct verdict *v) {
  call->limited = v->end != END_DONE;
  if (v->end == END_MODEL)
    diag_error(&call->diags, v->stats.problem.source, v->stats.problem.span, "%s", v->stats.problem.text);
}

bool api_check_language(struct api_call *call, const litscope_test *test, const litscope_model *model,
                        const litscope_options *options) {
  const char *language = litmus_language_word(test->test->language);
  if ((options && options->force) || cat_model_is_for(model->model, language)) return true;
  return diag_error(&call->diags, test->test->source, nowhere, "the model %s is for tests in %s, and this one is in %s",
                    model->model->ir.name, cat_model_languages(call->diags.arena, model->model), language);
}

static void make_verdict(struct api_call *call) {
  const struct check_arguments *arguments = call->arguments;
  if (!arguments->test || !arguments->model) {
    diag_fail(&call->diags, "checking needs a test and a model");
    return;
  }
  if (!api_check_language(call, arguments->test, arguments->model, arguments->options)) return;
  struct enumerate_options engine = api_engine_options(call->session, arguments->options);
  struct arena *arena = call->object = arena_new();
  litscope_verdict *made =
      ARENA_MAKE(arena, litscope_verdict, .arena = arena,
                 .verdict = verdict_run(arena, arguments->test->test, arguments->model->model, &engine, NULL));
  note_end(call, made->verdict);
  if (call->diags.errors) return;
  add_names(made);
  add_reports(made, arguments->model, &engine);
  call->result = made;
}

litscope_verdict *litscope_check(litscope *session, const litscope_test *test, const litscope_model *model,
                                 const litscope_options *options) {
  return api_run(session, make_verdict, &(struct check_arguments){test, model, options});
}

API_FREES(verdict);

static bool has_answer(const litscope_verdict *verdict) {
  return verdict && verdict->verdict->end == END_DONE;
}

const char *litscope_verdict_limit(const litscope_verdict *verdict) {
  return !verdict || has_answer(verdict) ? NULL : log_limit(verdict->verdict->end);
}

const char *litscope_verdict_observation(const litscope_verdict *verdict) {
  return has_answer(verdict) ? log_observation(verdict->verdict) : NULL;
}

int litscope_verdict_ok(const litscope_verdict *verdict) {
  return has_answer(verdict) && verdict_ok(verdict->verdict);
}

API_TELLS(int, verdict, loop_cut, verdict->verdict->stats.cut, 0);
API_TELLS(uint64_t, verdict, matching, verdict->verdict->states.matching, 0);
API_TELLS(uint64_t, verdict, failing, verdict->verdict->states.failing, 0);
API_TELLS(uint64_t, verdict, undefined, verdict->verdict->bad, 0);
API_TELLS(size_t, verdict, state_count, verdict->verdict->states.count, 0);

const char *litscope_verdict_state(const litscope_verdict *verdict, size_t state) {
  return state < litscope_verdict_state_count(verdict) ? verdict->states[state] : NULL;
}

uint64_t litscope_verdict_state_executions(const litscope_verdict *verdict, size_t state) {
  return state < litscope_verdict_state_count(verdict) ? verdict->verdict->states.at[state].count : 0;
}

API_TELLS(size_t, verdict, observable_count, verdict->verdict->test->observable_count, 0);

const char *litscope_verdict_observable(const litscope_verdict *verdict, size_t observable) {
  return observable < litscope_verdict_observable_count(verdict) ? verdict->observables[observable] : NULL;
}

int64_t litscope_verdict_value(const litscope_verdict *verdict, size_t state, size_t observable) {
  bool known = state < litscope_verdict_state_count(verdict) && observable < litscope_verdict_observable_count(verdict);
  return known ? verdict->verdict->states.at[state].values[observable] : 0;
}

API_TELLS(const char *, verdict, why, verdict->why, NULL);
API_TELLS(const char *, verdict, log, verdict->log, NULL);
API_TELLS(const char *, verdict, json, verdict->json, NULL);
