/* SPDX-License-Identifier: MIT */
/* `explore`: the final states that a machine can reach, as a herd-format log. */
#include <string.h>

#include "checker/base/text.h"
#include "checker/cmd/compare_with_baseline.h"
#include "checker/cmd/cost_mapping.h"
#include "checker/cmd/explore_emit.h"
#include "checker/cmd/fail_on.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/model_options.h"
#include "checker/cmd/output_folder.h"
#include "checker/cmd/run_picture.h"
#include "checker/report/json_hardware.h"
#include "checker/report/log.h"
#include "checker/report/write_machine_certificate.h"
#include "checker/verify/machine_outcomes.h"
#include "checker/verify/shortest_run_to_outcome.h"

struct explore_command {
  struct invocation *call;
  struct hardware hardware;
  struct pricing *pricing;     /* -cost, or NULL */
  struct expectation expected; /* -expect */
  struct test_runner runner;
};

static void write_stats(const struct reached *reached, FILE *err) {
  const struct explore_stats *s = &reached->found.stats;
  double rate = s->seconds > 0 ? (double)s->states / s->seconds : 0;
  fprintf(err,
          "Stats %s %s: %llu states, %llu transitions, %llu final, %llu deadlocks, depth %u, %.0f states/s, "
          "%.1f bytes/state, %.6f s\n",
          reached->test->name, reached->target, (unsigned long long)s->states, (unsigned long long)s->transitions,
          (unsigned long long)s->finals, (unsigned long long)s->deadlocks, s->depth, rate,
          s->states ? (double)s->bytes / (double)s->states : 0, s->seconds);
}

static void add_result(const struct explore_command *command, const struct reached *reached, const char *difference,
                       struct test_output *output) {
  struct result *result =
      tests_add_result(output, reached->test, reached->target, outcomes_observation(&reached->states));
  result->seconds = reached->found.stats.seconds;
  failure_note(&command->expected, difference, failure_of_reached(command->call, reached, output->arena), result,
               output);
  if (reached->found.end == EXPLORE_DONE) return;
  result->kind = RESULT_LIMIT;
  result->verdict = "";
  result->message = explore_end_text(reached->found.end);
}

/* What differs from what -expect says; NULL: nothing. */
static const char *compare_expected(const struct explore_command *command, const struct reached *reached,
                                    struct test_output *output) {
  if (!command->expected.baseline || reached->found.end != EXPLORE_DONE) return NULL;
  struct baseline_result result = {
      .test = reached->test->name, .model = reached->target, .observation = outcomes_observation(&reached->states)};
  baseline_set_states(output->arena, &result, reached->test, &reached->states);
  return expect_compare(&command->expected, &result, reached->test->source->name, output);
}

static void print_deadlock(const struct reached *reached, struct explorer *explorer, struct test_output *output) {
  struct explore_step *trace;
  size_t length = explore_trace(explorer, reached->found.deadlock, output->arena, &trace);
  hardware_note_lines(&reached->machine, reached->test, trace, length, output->arena);
  fprintf(output->out, "Deadlock after\n");
  hardware_print_trace(&reached->machine, trace, length, output->out);
  hardware_print_end(&reached->machine, trace, length, output->out);
}

static void print_hazard(const struct reached *reached, struct explorer *explorer, struct test_output *output) {
  struct explore_step *trace;
  size_t length = explore_trace(explorer, reached->fault_state, output->arena, &trace);
  fprintf(output->out, "Hazard %s\n", reached->fault);
  hardware_print_trace(&reached->machine, trace, length, output->out);
  output->status = status_join(output->status, STATUS_DIFFERS);
}

/* The run as a sequence diagram in the folder of -o. */
static void draw_witness(const struct explore_command *command, const struct litmus_test *test,
                         const struct target *target, const struct witness *witness, bool negated,
                         struct test_output *output) {
  const char *title = arena_printf(output->arena, "%s under %s: %s", test->name, target->name,
                                   log_state_text(output->arena, test, witness->values));
  struct run_picture picture = {&witness->machine, test->program, witness->trace, witness->length, title};
  run_picture_write(command->call, output, target->name, negated ? "other" : "run", &picture);
}

/* A shortest run to an outcome that meets the condition (`negated`: that does not). */
static void show_witness(const struct explore_command *command, const struct target *target,
                         const struct litmus_test *test, bool negated, struct explorer *explorer,
                         struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  struct explore_options options = hardware_explore_options(command->call, command->runner.cancel);
  struct witness witness;
  struct explore_request request = {.explorer = explorer, .options = &options, .arena = output->arena};
  if (!witness_find(target, test, negated, request, &witness, &diags)) return;
  if (!witness.found) {
    const char *limit = explore_end_text(witness.end);
    fprintf(output->out, "No run to an outcome that %s the proposition%s%s\n", negated ? "does not meet" : "meets",
            limit ? " was found: " : " exists", limit ? limit : "");
    if (!limit) return;
    tests_tell_limit(output, test, "%s: no run of %s was found", limit, test->name);
    return;
  }
  if (command->pricing)
    pricing_note_steps(command->pricing, test, target, witness.trace, witness.length, output->arena);
  else
    hardware_note_lines(&witness.machine, test, witness.trace, witness.length, output->arena);
  fprintf(output->out, "Run of %zu step%s, those of the environment in parentheses, to ", witness.length,
          witness.length == 1 ? "" : "s");
  log_write_state(output->out, test, witness.values);
  hardware_print_trace(&witness.machine, witness.trace, witness.length, output->out);
  if (witness.cut != EXPLORE_DONE)
    tests_tell_limit(output, test, "%s: this run of %s need not be a shortest one", explore_end_text(witness.cut),
                     test->name);
  draw_witness(command, test, target, &witness, negated, output);
}

/* What -outcome and -show ask for. */
static void show_runs(const struct explore_command *command, const struct target *target,
                      const struct litmus_test *test, struct explorer *explorer, struct test_output *output) {
  const char *show = option_text(command->call, OPTION_SHOW);
  bool given = option_given(command->call, OPTION_SHOW), outcome = option_given(command->call, OPTION_OUTCOME);
  bool both = !strcmp(show, "all"), neg = !strcmp(show, "neg"), drawn = pictures_folder(command->call);
  if ((!given && !outcome && !drawn) || !strcmp(show, "none")) return;
  if (!neg) show_witness(command, target, test, false, explorer, output);
  if (neg || both) show_witness(command, target, test, true, explorer, output);
}

/* -certify: all that is claimed is what a whole exploration shows. */
static void certify(const struct target *target, const struct reached *reached, struct test_output *output) {
  if (!output->certificate || reached->found.end != EXPLORE_DONE) return;
  const char *refusal = certificate_machine_refusal(target, reached->test->program);
  if (!refusal) refusal = certificate_refuse_question(reached->test);
  if (refusal)
    hardware_refuse_certificate(output, reached->test, target->name, refusal);
  else
    certificate_write_reached(output->certificate, target, reached, output->arena);
}

static void explore_one(const struct explore_command *command, const struct target *target, bool several,
                        const struct litmus_test *test, struct explore_request request, struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  struct explorer *explorer = request.explorer;
  struct reached reached;
  if (!reach(target, test, request, &reached, &diags)) {
    tests_refuse(output, test, target->name, &diags);
    return;
  }
  diags_print(&diags, output->err); /* warnings */
  if (several) fprintf(output->out, "Mapping %s\n", target->name);
  const char *cost = command->pricing ? pricing_target_line(command->pricing, test, target, output->arena) : "";
  log_write_reached(output->out, &reached, cost);
  if (reached.fault) print_hazard(&reached, explorer, output);
  if (reached.found.deadlock != EXPLORE_NO_STATE) print_deadlock(&reached, explorer, output);
  if (output->json) json_write_exploration(output->json, &reached);
  certify(target, &reached, output);
  if (option_on(command->call, OPTION_STATS)) write_stats(&reached, output->err);
  add_result(command, &reached, compare_expected(command, &reached, output), output);
  if (reached.found.end != EXPLORE_DONE)
    tests_tell_limit(output, test, "%s: no answer for %s", explore_end_text(reached.found.end), test->name);
  if (reached.found.end == EXPLORE_DONE && !reached.states.count && !reached.found.stats.deadlocks && !reached.fault)
    fprintf(output->err, "%s: no run of %s ends, so there are no states: `litscope progress` shows one\n",
            test->source->name, test->name);
  show_runs(command, target, test, explorer, output); /* ends what `found` holds */
  fputc('\n', output->out);
}

static void explore_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct explore_command *command = context;
  size_t count;
  const struct target *targets = hardware_targets(&command->hardware, test->program, output->arena, &count);
  if (option_given(command->call, OPTION_EMIT_RULES)) {
    for (size_t i = 0; i < count; i++) explore_emit(command->call, &targets[i], test, output);
    return;
  }
  struct explore_options options = hardware_explore_options(command->call, command->runner.cancel);
  options.workers = workers;
  struct explore_request request = {.explorer = explorer_new(), .options = &options, .arena = output->arena};
  hardware_warn_of_unset(command->call, test, output);
  for (size_t i = 0; i < count; i++) explore_one(command, &targets[i], count > 1, test, request, output);
  explorer_free(request.explorer);
}

static void collect(void *context, const struct results *results) {
  const struct explore_command *command = context;
  expect_note(&command->expected, results);
}

int command_explore(struct invocation *call) {
  struct explore_command command = {.call = call, .runner = {.run = explore_test, .collect = collect}};
  struct diags diags = diags_new(call->arena);
  const char *folder = pictures_folder(call);
  if (folder && !diags.errors && !folder_make(call->arena, folder, &diags)) return diags_report(&diags);
  models_check_variants(call, NULL, 0, &diags);
  if (diags.errors || !hardware_load(call, &command.hardware, &diags) ||
      !pricing_load(call, &command.pricing, &diags) || !expect_load(call, &command.expected, &diags))
    return diags_report(&diags);
  command.runner.context = &command;
  int status = tests_run(call, &command.runner);
  if (!command.runner.partial) expect_warn_missing(call, &command.expected);
  return status;
}
