/* SPDX-License-Identifier: MIT */
/* `check`: tests against models. For each test and model a verdict, written
 * as an entry of herd's log, as JSON, as pictures; then, with several models,
 * the table that sets them side by side. */
#include <math.h>
#include <string.h>

#include "checker/base/clock.h"
#include "checker/base/path.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cat/print.h"
#include "checker/cmd/check_certificate.h"
#include "checker/cmd/check_options.h"
#include "checker/cmd/check_warnings.h"
#include "checker/cmd/command.h"
#include "checker/cmd/compare_with_baseline.h"
#include "checker/cmd/each_test.h"
#include "checker/cmd/fail_on.h"
#include "checker/cmd/language_mapping_options.h"
#include "checker/cmd/model_options.h"
#include "checker/cmd/output_folder.h"
#include "checker/exec/loops/checks_survive_removal.h"
#include "checker/exec/loops/spin_leave_out_repeated.h"
#include "checker/exec/search/observed_registers.h"
#include "checker/explain/why_forbidden.h"
#include "checker/explain/why_undefined.h"
#include "checker/report/json.h"
#include "checker/report/log.h"
#include "checker/report/models_table.h"
#include "checker/report/picture_files.h"
#include "checker/verdict/choose_engine.h"
#include "checker/verdict/engine_turns.h"
#include "checker/verdict/kernel_verdict.h"
#include "checker/verdict/khronos_verdict.h"
#include "checker/verdict/verdict.h"

struct check {
  struct invocation *call;
  struct model_set models;
  struct test_runner runner;
  struct translated_setup **translations; /* -mapping: those to languages */
  size_t translation_count;
  struct draw_options draw; /* folder NULL: nothing is drawn */
  struct grapher *grapher;
  struct expectation expected; /* -expect */
  struct results results;      /* with several models: all of them, for the table */
};

static bool several_models(const struct check *check) {
  return !check->models.by_language && check->models.count > 1;
}

/* ---- one test ---- */

static struct enumerate_options engine_options(const struct check *check, const struct litmus_test *test,
                                               const struct loaded_model *loaded, unsigned workers,
                                               const struct observed *observed) {
  const struct invocation *call = check->call;
  bool waits =
      test->kernel && !option_given(call, OPTION_ROUNDS); /* a kernel's waiting loops are followed to their end */
  bool fast = !option_is(call, OPTION_SPEEDCHECK, "false");
  struct enumerate_options options = models_engine_options(call, check->runner.cancel);
  options.workers = fast ? 1 : workers; /* which execution settles the question must not depend on -j */
  options.fold = option_is(call, OPTION_ROUNDS, "fold");
  options.cut_spins = waits || option_is(call, OPTION_ROUNDS, "new") ||
                      (options.fold && program_has_loop(test->program) && !test->program->object_count &&
                       spin_repeats_leave_out(loaded->model));
  options.stop_when_known = fast;
  options.skip = loaded->skip;
  options.bad_flag = option_text(call, OPTION_BADFLAG);
  options.only_flag = option_text(call, OPTION_THROUGHFLAG);
  options.observed = observed;
  return options;
}

/* -through: no axiom rejects an execution, as in herd; flags are raised as they are. */
static void let_through(const struct check *check, const struct loaded_model *loaded, struct arena *arena,
                        struct enumerate_options *options) {
  if (option_is(check->call, OPTION_THROUGH, "none")) return;
  const struct cat_ir *ir = &loaded->model->ir;
  bool *skip = ARENA_ARRAY(arena, bool, (size_t)ir->check_count + 1);
  options->through = true;
  for (uint32_t i = 0; i < ir->check_count; i++)
    skip[i] = ir->checks[i].role == ROLE_REQUIRE || (options->skip && options->skip[i]);
  options->skip = skip;
}

/* What differs from what -expect says; NULL: nothing. */
static const char *compare_expected(const struct check *check, struct test_output *output, const struct verdict *v) {
  if (!check->expected.baseline || v->end != END_DONE) return NULL;
  struct baseline_result found = baseline_from_verdict(output->arena, v);
  return expect_compare(&check->expected, &found, v->test->source->name, output);
}

static void add_result(const struct check *check, struct test_output *output, const struct verdict *v,
                       const char *undefined, const char *difference) {
  bool rejected_too = !option_is(check->call, OPTION_THROUGH, "none"); /* what the log counts is no answer then */
  struct result *result = tests_add_result(output, v->test, v->model, v->end == END_DONE ? log_observation(v) : "");
  result->undefined = v->bad > 0;
  result->seconds = v->seconds;
  failure_note(&check->expected, difference,
               rejected_too ? NULL : failure_of_verdict(check->call, v, undefined, output->arena), result, output);
  if (v->end == END_DONE) return;
  result->kind = RESULT_LIMIT;
  result->message = arena_printf(output->arena, "%s met", log_limit(v->end));
}

static void report_limit(struct test_output *output, const struct verdict *v) {
  if (v->end == END_DONE) return;
  if (v->end == END_MODEL) {
    struct diags diags = diags_new(output->arena);
    diag_error(&diags, v->stats.problem.source, v->stats.problem.span, "%s", v->stats.problem.text);
    diags_print(&diags, output->err);
  }
  tests_tell_limit(output, v->test, "%s%s met: model %s has no answer for %s", log_limit(v->end),
                   v->end == END_EVENTS ? " (-max-events)" : "", v->model, v->test->name);
}

static void write_stats(struct test_output *output, const struct verdict *v) {
  double ratio = v->stats.consistent ? (double)v->stats.visited / (double)v->stats.consistent : 0;
  fprintf(output->err,
          "Stats %s %s: %llu candidates visited, %llu consistent executions (ratio %.2f), %llu choices of paths, "
          "%u events, %.6f s\n",
          v->test->name, v->model, (unsigned long long)v->stats.visited, (unsigned long long)v->stats.consistent, ratio,
          (unsigned long long)v->stats.structures, v->stats.events, v->seconds);
}

/* A model in the names of files: of a path its last part, unless another model's is the same. */
static const char *file_name_of(const struct check *check, const char *name) {
  for (size_t i = 0; i < check->models.count; i++) {
    const char *other = check->models.at[i].name;
    if (other && strcmp(other, name) != 0 && !strcmp(path_last(other), path_last(name))) return name;
  }
  return path_last(name);
}

static void tell_none(const struct check *check, const struct litmus_test *test, struct test_output *output) {
  if (option_on(check->call, OPTION_QUIET) || option_is(check->call, OPTION_SHOW, "none")) return;
  fprintf(output->err,
          "%s: nothing to draw of %s: no execution is as -show %s asks (-show all draws every one, -through invalid "
          "also those that the model rejects)\n",
          test->source->name, test->name, option_text(check->call, OPTION_SHOW));
}

/* Of a kernel, unless -show says otherwise, one execution is drawn: of what is wrong, or else the one that is counted.
 * `turned`: the test of which that one settles the condition. */
static void choose_one(const struct check *check, const struct verdict *v, struct exhibit_options *chosen,
                       struct litmus_test *turned) {
  const struct invocation *call = check->call;
  const char *flag = verdict_undefined_flag(v);
  if (!v->test->kernel || !v->partial || option_given(call, OPTION_SHOW) || option_given(call, OPTION_SHOWFLAG)) return;
  chosen->first = true;
  chosen->most = 1;
  chosen->flag = flag;
  chosen->show = SHOW_WIT;
  if (flag || !verdict_by_absence(v)) return;
  chosen->show = SHOW_ALL;
  turned->quantifier = v->test->quantifier == QUANT_FORALL ? QUANT_EXISTS : QUANT_FORALL;
}

static void draw(const struct check *check, const struct verdict *v, const struct loaded_model *loaded,
                 const struct enumerate_options *options, struct test_output *output) {
  struct litmus_test turned = *v->test;
  const struct litmus_test *test = &turned;
  struct diags diags = diags_new(output->arena);
  struct draw_options wanted = check->draw;
  choose_one(check, v, &wanted.executions, &turned);
  const char *suffix = option_text(check->call, OPTION_SUFFIX);
  wanted.label = suffix ? arena_printf(output->arena, "%s%s", output->label, suffix) : output->label;
  wanted.model = file_name_of(check, loaded->model->ir.name);
  wanted.told = pictures_told(check->call, output->err);
  unsigned count = draw_executions(check->grapher, test, loaded->model, options, &wanted, &diags);
  if (!count && !diags.count) tell_none(check, test, output);
  tests_tell(output, &diags);
}

/* What follows an entry's lines: that the program is undefined, -why. */
static const char *lines_after(const char *undefined, const char *why, struct arena *arena) {
  const char *sentence = undefined ? arena_printf(arena, "Undefined: %s\n", undefined) : "";
  return arena_printf(arena, "%s%s", sentence, why ? why : "");
}

/* The lines of -why; verdict NULL: the log's lets through what the model rejects, so that its own is wanted. */
static const char *why_of(const struct litmus_test *test, const struct loaded_model *loaded,
                          const struct enumerate_options *options, const struct verdict *verdict,
                          struct test_output *output, bool *cut) {
  bool own = !verdict;
  if (own) verdict = verdict_run(output->arena, test, loaded->model, options, NULL);
  const char *text = why_text(output->arena, verdict, loaded->model, options, cut);
  *cut |= own && verdict->end != END_DONE;
  return text;
}

/* How many states meet the proposition. */
static uint64_t matching_states(const struct verdict *v) {
  uint64_t count = 0;
  for (size_t i = 0; i < v->states.count; i++) {
    struct shown_state state = {v->test->observables, v->test->observable_count, v->states.at[i].values};
    count += shown_meets(&state, v->test->condition);
  }
  return count;
}

/* -badexecs, -restrict: does the log have the test? */
static bool is_logged(const struct check *check, const struct verdict *v) {
  uint64_t all = v->states.matching + v->states.failing, states = v->states.count;
  if (v->bad && !option_on(check->call, OPTION_BADEXECS)) return false;
  if (v->end != END_DONE) return true;
  if (option_is(check->call, OPTION_RESTRICT, "observed")) return all > 0;
  if (option_is(check->call, OPTION_RESTRICT, "nonambiguous")) return all == states;
  if (option_is(check->call, OPTION_RESTRICT, "condone")) return v->states.matching == matching_states(v);
  return true;
}

static void note_reads(void *context, const struct candidate *candidate, bool meets) {
  (void)meets;
  observed_note(context, candidate->execution);
}

static const double LEAST_SECONDS = 1e-9; /* 0 would be no limit */

/* -outcomereads: the verdict on the test with other observables, those that a first
 * round finds.  That of the first round, where it does not end; both share the time. */
static struct verdict *verdict_by_reads(const struct litmus_test **test, const struct loaded_model *loaded,
                                        struct enumerate_options options, struct arena *arena) {
  struct observed *observed = observed_new(arena, *test);
  struct verdict_observer observer = {.context = observed, .consistent = note_reads};
  struct verdict *first = verdict_run(arena, *test, loaded->model, &options, &observer);
  if (first->end != END_DONE) return first;
  *test = observed_test(arena, observed);
  if (options.timeout > 0) options.timeout = fmax(options.timeout - first->seconds, LEAST_SECONDS);
  return verdict_run(arena, *test, loaded->model, &options, NULL);
}

/* Of a test that asserts something: is it so? */
static const struct assertion_answer *judge_assertions(const struct check *check, const struct litmus_test *test,
                                                       const struct loaded_model *loaded,
                                                       const struct enumerate_options *options, struct arena *arena) {
  const struct cat_model *without_chains = NULL;
  for (size_t i = 0; i < test->assertion_count && !without_chains; i++)
    if (!test->assertions[i].chains) without_chains = models_without_chains(check->call, loaded, arena);
  return assertions_judge(arena, test, loaded->model, without_chains, options);
}

/* Of kernels no executions are counted, unless -speedcheck or what needs all of them asks for that. */
static bool is_settled(const struct check *check, const struct litmus_test *test, const struct loaded_model *loaded,
                       const struct enumerate_options *options) {
  const struct invocation *call = check->call;
  bool all = option_given(call, OPTION_SPEEDCHECK) || option_on(call, OPTION_OUTCOMEREADS) || options->through ||
             options->only_flag || options->observed || !options->prune;
  return test->kernel && !all && kernel_verdict_can(test, loaded->model);
}

/* May the solver answer instead, since nobody asks for more than the answer? */
static bool may_solve(const struct check *check, const struct enumerate_options *options) {
  const struct invocation *call = check->call;
  bool more = option_given(call, OPTION_ROUNDS) || option_on(call, OPTION_CANDIDATES) || option_on(call, OPTION_WHY) ||
              option_given(call, OPTION_RESTRICT) || check->draw.folder;
  return option_is(call, OPTION_ENGINE, "auto") && !more && !options->through && !options->only_flag &&
         !options->observed && options->prune;
}

static void note_solved(struct test_output *output, const struct invocation *call, const struct verdict *v) {
  if (!option_on(call, OPTION_QUIET))
    fprintf(output->err,
            "%s: %s has too many executions to count: a solver answered%s (-engine enumerate counts them)\n",
            v->test->source->name, v->test->name, v->stats.all_states ? "" : "; not all states are listed");
}

/* Of partial orders the smallest are executions (exec/search/minimal_orders.c): one that fails a check may lie within
 * one that passes, and what is the same execution but for them would count as both. */
static bool strictskip_goes(const struct litmus_test *test, const struct loaded_model *loaded,
                            struct test_output *output) {
  if (!loaded->model->strict || !test->program->partial_coherence) return true;
  struct diags diags = diags_new(output->arena);
  diag_fail(&diags,
            "%s: -strictskip: the order of writes is partial, and what fails a check may pass it with more of them "
            "ordered",
            test->source->name);
  tests_refuse(output, test, loaded->name, &diags);
  return false;
}

/* Looks for rounds of loops that can be left out; returns the seconds that it takes, which are taken from the limit. */
static double find_folds(const struct litmus_test *test, const struct loaded_model *loaded,
                         struct enumerate_options *options, struct arena *arena) {
  double start = monotonic_seconds();
  options->spin_folds = kernel_verdict_spin_folds(arena, test, loaded->model, options);
  options->timeout = engine_time_left(options->timeout, start);
  return monotonic_seconds() - start;
}

static void check_model(const struct check *check, const struct litmus_test *test, const struct loaded_model *loaded,
                        unsigned workers, const struct observed *observed, struct test_output *output) {
  struct enumerate_options options = engine_options(check, test, loaded, workers, observed), counted = options;
  let_through(check, loaded, output->arena, &counted);
  counted.solve = option_is(check->call, OPTION_ENGINE, "solve");
  counted.either = test->kernel && may_solve(check, &counted);
  if (counted.solve && !test->kernel && !counted.stop_when_known) counted.most_states = MOST_STATES;
  if (counted.solve && !models_check_solver(loaded, test, false, output)) return;
  if (!strictskip_goes(test, loaded, output)) return;
  double spent = output->certificate ? 0 : find_folds(test, loaded, &counted, output->arena);
  struct verdict *v;
  if (output->certificate)
    v = check_certify(test, loaded, counted.solve ? &counted : &options, output);
  else if (counted.solve || is_settled(check, test, loaded, &counted))
    v = kernel_verdict_run(output->arena, test, loaded->model, &counted);
  else if (option_on(check->call, OPTION_OUTCOMEREADS))
    v = verdict_by_reads(&test, loaded, counted, output->arena);
  else if (may_solve(check, &counted))
    v = verdict_of_either(output->arena, test, loaded->model, &counted);
  else
    v = verdict_run(output->arena, test, loaded->model, &counted, NULL);
  v->seconds += spent;
  if (v->solved && (test->kernel || counted.stop_when_known)) verdict_keep_settling(v);
  if (v->solved && v->end == END_DONE && !counted.solve && !counted.either && !counted.stop_when_known)
    note_solved(output, check->call, v);
  counted.solve = v->solved;
  if (v->end == END_DONE) v->assertions = judge_assertions(check, test, loaded, &options, output->arena);
  bool explained = option_on(check->call, OPTION_WHY), cut = false;
  const char *why = explained ? why_of(test, loaded, &options, counted.through ? NULL : v, output, &cut) : NULL;
  bool shown = is_logged(check, v);
  if (several_models(check) && shown) fprintf(output->out, "Model %s\n", loaded->name);
  struct undefined undefined = {0};
  if (!counted.through) undefined = undefined_explain(output->arena, v, loaded->model, &counted);
  const char *more = lines_after(undefined.sentence, why, output->arena);
  if (shown) log_write(output->out, v, option_on(check->call, OPTION_CANDIDATES), more);
  if (output->json) json_write_verdict(output->json, v, why);
  if (check->draw.folder) draw(check, v, loaded, &options, output);
  if (option_on(check->call, OPTION_STATS)) write_stats(output, v);
  report_limit(output, v);
  check_warn(check->call, v, loaded->model, &counted, output);
  if (cut || undefined.cut)
    tests_tell_limit(output, test, "a limit was reached: there may be more reasons for %s", test->name);
  add_result(check, output, v, undefined.sentence, compare_expected(check, output, v));
}

static void dump_model(const struct check *check, const struct loaded_model *loaded, FILE *out) {
  if (!loaded->model) return;
  if (option_is(check->call, OPTION_DUMP, "rounds"))
    removal_print(loaded->model, out);
  else
    cat_print(&loaded->model->ir, out);
}

static bool dumps_models(const struct check *check) {
  return option_is(check->call, OPTION_DUMP, "model") || option_is(check->call, OPTION_DUMP, "rounds");
}

static void check_models(const struct check *check, const struct litmus_test *test, const struct loaded_model *models,
                         size_t count, unsigned workers, struct test_output *output) {
  const struct observed *observed =
      option_is(check->call, OPTION_RESTRICT, "observed") ? observed_new(output->arena, test) : NULL;
  for (size_t i = 0; i < count; i++) {
    if (!models[i].model)
      models_report_missing(check->call, test, output);
    else if (dumps_models(check))
      dump_model(check, &models[i], output->out);
    else if (models_check_language(check->call, models[i].model, models[i].name, test, output)) {
      if (!option_on(check->call, OPTION_QUIET)) models_check_annotations(&models[i], test, output);
      check_model(check, test, &models[i], workers, observed, output);
    }
  }
}

/* The test in another language, asked of -model, or else of that language's model. */
static void check_translated(const struct check *check, const struct translated_setup *setup,
                             const struct litmus_test *test, unsigned workers, struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  struct composed composed;
  if (!translate(output->arena, setup, test, &composed, &diags)) {
    tests_refuse(output, test, setup->translator.name, &diags);
    return;
  }
  bool *skip = ARENA_ARRAY(output->arena, bool, (size_t)setup->model->ir.check_count + 1);
  const struct loaded_model own = {.name = setup->model->ir.name, .model = setup->model, .skip = skip};
  bool named = !check->models.by_language;
  check_models(check, composed.test, named ? check->models.at : &own, named ? check->models.count : 1, workers, output);
}

static void check_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct check *check = context;
  if (option_is(check->call, OPTION_DUMP, "program")) {
    program_print(test->program, output->out);
    return;
  }
  size_t count;
  const struct loaded_model *models = models_for(&check->models, test, &count);
  for (size_t i = 0; i < check->translation_count; i++)
    check_translated(check, check->translations[i], test, workers, output);
  if (!check->translation_count) check_models(check, test, models, count, workers, output);
}

/* ---- drawing ---- */

/* Position of a choice's word in the option table's list of them. */
static int choice_index(const struct invocation *call, enum option_id id) {
  return text_place(option_text(call, id), text_split(call->arena, option_table[id].argument, "|", NULL));
}

static bool prepare_drawing(struct check *check, struct diags *diags) {
  static const enum exhibit_through through[] = {THROUGH_ALL, THROUGH_INVALID, THROUGH_NONE};
  struct invocation *call = check->call;
  const char *folder = pictures_folder(call);
  if (!folder) return true;
  size_t count;
  check->draw = (struct draw_options){
      .folder = folder,
      .format = option_on(call, OPTION_TIKZ)  ? GRAPH_TIKZ
                : option_on(call, OPTION_PDF) ? GRAPH_PDF
                : option_on(call, OPTION_SVG) ? GRAPH_SVG
                                              : GRAPH_DOT,
      .look = {.form = (enum graph_form)choice_index(call, OPTION_GRAPH),
               .shown = option_words(call, OPTION_DOSHOW, &count),
               .hidden = option_words(call, OPTION_UNSHOW, &count),
               .letters = option_on(call, OPTION_LETTERS),
               .untitled = !option_on(call, OPTION_SHOWLEGEND),
               .instructions = option_is(call, OPTION_INSTRUCTIONS, "true"),
               .hover = option_is(call, OPTION_INSTRUCTIONS, "hover")},
      .executions = {.show = (enum exhibit_show)choice_index(call, OPTION_SHOW),
                     .through = through[choice_index(call, OPTION_THROUGH)],
                     .most = (unsigned)option_number(call, OPTION_NSHOW),
                     .flag = option_text(call, OPTION_SHOWFLAG),
                     .cycles = option_words(call, OPTION_FAILING, &count)},
  };
  check->grapher = pictures_open(call, folder, diags);
  return check->grapher != NULL;
}

/* ---- several models ---- */

static void collect(void *context, const struct results *results) {
  struct check *check = context;
  expect_note(&check->expected, results);
  for (size_t i = 0; i < results->count && several_models(check); i++)
    *vec_push(check->call->arena, &check->results) = results->at[i];
}

static void print_table(const struct check *check) {
  const char **names = ARENA_ARRAY(check->call->arena, const char *, check->models.count);
  for (size_t i = 0; i < check->models.count; i++) names[i] = check->models.at[i].model->ir.name;
  models_table_write(stdout, &check->results, names, check->models.count);
}

static int dump_models(const struct check *check) {
  for (size_t i = 0; i < check->models.count; i++) dump_model(check, &check->models.at[i], stdout);
  return STATUS_DONE;
}

/* ---- the command ---- */

int command_check(struct invocation *call) {
  struct check check = {.call = call};
  struct diags diags = diags_new(call->arena);
  if (!check_options_go(call, &diags) || !models_load(call, &check.models, &diags) ||
      !check_names_go(call, &check.models, &diags) || !expect_load(call, &check.expected, &diags) ||
      !prepare_drawing(&check, &diags))
    return diags_report(&diags);
  check.translations = translated_named(call, &check.translation_count, &diags);
  if (diags.errors) return diags_report(&diags);
  diags_report(&diags);
  if (dumps_models(&check) && !check.models.by_language) return dump_models(&check);
  check.runner = (struct test_runner){.context = &check, .run = check_test};
  if (several_models(&check) || check.expected.baseline) check.runner.collect = collect;
  int status = tests_run(call, &check.runner);
  if (!check.runner.partial) expect_warn_missing(call, &check.expected);
  if (several_models(&check) && check.results.count && !option_is(call, OPTION_JSON, "-")) print_table(&check);
  grapher_free(check.grapher);
  return status;
}
