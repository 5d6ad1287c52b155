/* SPDX-License-Identifier: MIT */
/* `run`: tests on a real device. */
#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/cmd/compare_with_baseline.h"
#include "checker/cmd/device_runs.h"
#include "checker/cmd/model_options.h"
#include "checker/cmd/output_folder.h"
#include "checker/cmd/run_emit.h"
#include "checker/cmd/run_tune.h"

/* What there are many answers of is summed up. */
enum total { TOTAL_ALLOWED, TOTAL_VIOLATION, TOTAL_UNDEFINED, TOTAL_UNDECIDED, TOTAL_REFUSED, TOTALS };
static const char *const TOTAL_NAMES[] = {"Allowed", "Violation", "Undefined", "Undecided", "Refused"};

struct run_command {
  struct invocation *call;
  struct device_setup setup;
  struct cat_model *models[LANGUAGES]; /* by language */
  struct expectation expected;         /* -expect */
  const char *folder;                  /* -o, or NULL */
  struct tuning *tuning;               /* -tune, or NULL */
  size_t totals[TOTALS];
  struct test_runner runner;
};

/* ---- one test ---- */

static void add_result(const struct run_command *command, const struct seen *seen, double seconds,
                       const char *difference, struct test_output *output) {
  struct result *result =
      tests_add_result(output, seen->test, command->setup.facts->name, outcomes_observation(&seen->states));
  result->undefined = seen->answer == SEEN_UNDEFINED;
  result->seconds = seconds;
  if (seen->answer == SEEN_VIOLATION) {
    result->kind = RESULT_DIFFERS;
    result->verdict = "Violation";
    result->message = arena_printf(output->arena, "%s forbids what was seen %" PRIu64 " times: %s",
                                   seen->verdict->model, seen->forbidden, seen->violations[0].asked->condition_text);
  } else if (seen->answer == SEEN_UNDECIDED) {
    result->kind = RESULT_LIMIT;
    result->message = "undecided: the model reached a limit";
  } else if (difference) {
    result->kind = RESULT_DIFFERS;
    result->message = "not as expected";
    result->detail = difference;
  }
}

/* A test that the device did not finish: a limit, or a failure of the device. */
static void add_failure(const struct run_command *command, const struct litmus_test *test,
                        const struct device_result *result, struct test_output *output) {
  const char *device = command->setup.facts->name;
  const char *reason = device_end_text(output->arena, &command->setup, result);
  bool limit = result->end == DEVICE_TIMEOUT || result->end == DEVICE_CANCELLED;
  histogram_write_none(output->out, test, reason);
  if (output->json) histogram_write_none_json(output->json, test, device, reason);
  fprintf(output->err, "%s: %s on '%s': %s\n", test->source->name, test->name, device, reason);
  tests_add_unanswered(output, test, device, limit ? RESULT_LIMIT : RESULT_BAD, reason);
}

/* The compiler's log, each message with the generated line that it speaks of:
 * drivers write `NAME:LINE:COLUMN: error: ...`. */
static void write_build_log(const char *kernel, const char *log, struct test_output *output) {
  for (const char **at = text_split(output->arena, log, "\n", NULL), *line; (line = *at); at++) {
    const char *error = strstr(line, ": error");
    unsigned number = 0, column = 0;
    for (const char *colon = strchr(line, ':'); error && colon && colon < error && !number;
         colon = strchr(colon + 1, ':'))
      if (sscanf(colon, ":%u:%u:", &number, &column) < 2) number = 0;
    fprintf(output->err, "  %s\n", line);
    const char *source = text_line(kernel, number);
    if (!source) source = "";
    if (number) fprintf(output->err, "  %5u | %.*s\n", number, (int)strcspn(source, "\n"), source);
  }
}

static const char *compare_expected(const struct run_command *command, const struct seen *seen,
                                    struct test_output *output) {
  if (!command->expected.baseline) return NULL;
  struct baseline_result result = {.test = seen->test->name, .observation = outcomes_observation(&seen->states)};
  baseline_set_states(output->arena, &result, seen->test, &seen->states);
  return expect_compare(&command->expected, &result, seen->test->source->name, output);
}

static void write_stats(const struct run_command *command, const struct seen *seen, const struct device_result *result,
                        FILE *err) {
  double rate = result->seconds > 0 ? (double)result->instances / result->seconds : 0;
  fprintf(err, "Stats %s %s: %" PRIu64 " instances, %" PRIu64 " launches, %.0f instances/s, %.6f s\n", seen->test->name,
          command->setup.facts->name, result->instances, result->launches, rate, result->seconds);
}

static void judge(const struct run_command *command, const struct device_test *made, struct seen *seen,
                  const struct device_result *result, unsigned workers, struct test_output *output) {
  const struct cat_model *model = command->models[made->test->language];
  struct enumerate_options options = models_engine_options(command->call, command->runner.cancel);
  options.workers = workers;
  options.cut_spins = true;
  seen_judge(seen, output->arena, model, &options);
  const char *const *why = device_reasons(seen, model, &options, output->arena);
  struct histogram_run run = device_test_histogram(&command->setup, made, result, output->arena);
  histogram_write(output->out, seen, &run, why);
  if (output->json) histogram_write_json(output->json, seen, &run, why);
  if (option_on(command->call, OPTION_STATS)) write_stats(command, seen, result, output->err);
  add_result(command, seen, result->seconds, compare_expected(command, seen, output), output);
  if (seen->answer == SEEN_VIOLATION) output->status = status_join(output->status, STATUS_DIFFERS);
  if (seen->answer == SEEN_UNDECIDED) output->status = status_join(output->status, STATUS_LIMIT);
}

static void run_made(const struct run_command *command, const struct device_test *made, unsigned workers,
                     struct test_output *output) {
  struct seen *seen = device_test_seen(made, output->arena);
  struct device_result result = device_test_run(&command->setup, made, output->arena, seen);
  if (result.end == DEVICE_DONE) {
    judge(command, made, seen, &result, workers, output);
    return;
  }
  add_failure(command, made->test, &result, output);
  if (result.end == DEVICE_BUILD) write_build_log(made->kernel, result.message, output);
}

static void run_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  struct run_command *command = context;
  command->setup.cancel = command->runner.cancel;
  struct diags diags = diags_new(output->arena);
  struct device_test made;
  if (!command->models[test->language]) {
    models_report_missing(command->call, test, output);
  } else if (!models_check_language(command->call, command->models[test->language],
                                    command->models[test->language]->ir.name, test, output)) {
    return;
  } else if (!device_test_make(&command->setup, test, output->arena, &made, &diags)) {
    tests_refuse(output, test, command->setup.facts->name, &diags);
  } else if (option_on(command->call, OPTION_RUN_DUMP)) {
    fputs(made.kernel, output->out);
  } else if (command->tuning) {
    tuning_test(command->tuning, &command->setup, &made, workers, output);
  } else {
    if (command->folder && !emit_launch(command->folder, output->label, &command->setup, &made, output)) return;
    run_made(command, &made, workers, output);
  }
}

/* ---- -devices ---- */

static void print_svm(uint32_t svm) {
  static const char *const words[] = {"coarse buffers", "fine buffers", "fine system", "atomics"};
  const char *separator = "";
  for (unsigned i = 0; i < 4; i++)
    if (svm >> i & 1) {
      printf("%s%s", separator, words[i]);
      separator = ", ";
    }
  puts(*separator ? "" : "none");
}

static void print_device(struct arena *arena, size_t index, const struct device_facts *f) {
  printf("Device %zu: %s\n", index, f->name);
  printf("  platform        %s, %s\n", f->platform, f->version);
  printf("  size            %u compute units, work-groups of up to %u work-items, %" PRIu64 " KiB of local memory\n",
         f->units, f->group_items, f->local_bytes >> 10);
  if (!f->usable) {
    puts("  atomics         none with orders: tests do not run on it");
    return;
  }
  printf("  atomics         orders %s; scopes %s; %s\n", fit_orders(arena, f->orders), fit_scopes(arena, f->scopes),
         f->wide ? "32 and 64 bits" : "32 bits");
  printf("  fences          orders %s; scopes %s\n", fit_orders(arena, f->fence_orders),
         fit_scopes(arena, f->fence_scopes));
  if (f->sub_groups)
    printf("  sub-groups      up to %u in a work-group, of %u work-items\n", f->sub_groups, f->sub_group);
  else
    puts("  sub-groups      none");
  fputs("  shared memory   ", stdout);
  print_svm(f->svm);
}

struct needs_command {
  struct device_setup setup;
  const struct device_facts *facts;
  size_t count;
};

/* What a test needs, and which devices have it. */
static void write_needs(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct needs_command *command = context;
  (void)workers;
  struct diags diags = diags_new(output->arena);
  struct device_test made;
  if (!device_test_lay_out(&command->setup, test, output->arena, &made, &diags)) {
    tests_refuse(output, test, "", &diags);
    return;
  }
  fprintf(output->out, "Test %s: %s\n", test->name, fit_needs(output->arena, made.layout));
  for (size_t i = 0; i < command->count; i++) {
    struct diags own = diags_new(output->arena);
    struct fitted fitted;
    struct device_use use = {&command->facts[i], &command->setup.settings, command->setup.instances};
    bool fits = fit(made.layout, test->name, &use, &fitted, &own);
    fprintf(output->out, "  device %zu: %s\n", i, fits ? "runs" : own.at[0].message);
  }
}

static int list_devices(struct invocation *call, struct device_setup *setup, struct diags *diags) {
  struct needs_command command = {.setup = *setup};
  command.facts = device_list(call->arena, &command.count, diags);
  for (size_t i = 0; i < command.count && command.facts; i++) print_device(call->arena, i, &command.facts[i]);
  int status = diags_report(diags);
  if (!command.facts || !call->word_count) return status;
  struct test_runner runner = {.context = &command, .run = write_needs};
  return status_join(status, tests_run(call, &runner));
}

/* ---- the command ---- */

static bool wants_knobs(const struct invocation *call) {
  const char *text = option_text(call, OPTION_RUN_PARAMS);
  return text && !strcmp(text, "help");
}

static void collect(void *context, const struct results *results) {
  static const enum total by_kind[] = {
      [RESULT_DIFFERS] = TOTAL_VIOLATION, [RESULT_LIMIT] = TOTAL_UNDECIDED, [RESULT_BAD] = TOTAL_REFUSED};
  struct run_command *command = context;
  expect_note(&command->expected, results);
  ARRAY_EACH (const struct result, r, results->at, results->count) {
    bool unexpected = r->kind == RESULT_DIFFERS && strcmp(r->verdict, "Violation") != 0;
    command->totals[r->kind == RESULT_DONE || unexpected ? (r->undefined ? TOTAL_UNDEFINED : TOTAL_ALLOWED)
                                                         : by_kind[r->kind]]++;
  }
}

static int run_tests(struct run_command *command) {
  struct invocation *call = command->call;
  struct diags diags = diags_new(call->arena);
  if (!models_load_one(call, command->models, &diags) || !expect_load(call, &command->expected, &diags) ||
      (command->folder && !folder_make(call->arena, command->folder, &diags)) ||
      !device_setup_open(call, &command->setup, &diags))
    return diags_report(&diags);
  if (option_real(call, OPTION_TUNE) > 0) command->tuning = tuning_new(call, &diags);
  if (diags.errors) return diags_report(&diags);
  diags_report(&diags);
  command->runner = (struct test_runner){.context = command, .run = run_test, .collect = collect, .alone = true};
  int status = tests_run(call, &command->runner);
  totals_print(call, TOTAL_NAMES, command->totals, TOTALS);
  expect_warn_missing(call, &command->expected);
  return command->tuning ? status_join(status, tuning_end(command->tuning, command->folder)) : status;
}

int command_run(struct invocation *call) {
  struct run_command command = {.call = call, .folder = option_text(call, OPTION_OUTPUT)};
  if (wants_knobs(call)) {
    puts("Knobs of runs on devices, with their defaults:");
    settings_describe(stdout);
    return STATUS_DONE;
  }
  struct diags diags = diags_new(call->arena);
  if (!device_setup_load(call, &command.setup, &diags)) return diags_report(&diags);
  if (option_text(call, OPTION_EMIT)) return emit_tests(call, &command.setup);
  if (option_on(call, OPTION_DEVICES)) return list_devices(call, &command.setup, &diags);
  return run_tests(&command);
}
