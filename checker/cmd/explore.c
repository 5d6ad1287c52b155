/* SPDX-License-Identifier: MIT */
/* `explore`: the final states that a machine can reach, as a herd-format log.
 * A state counts once, whatever the number of runs that end in it. */
#include <stdlib.h>

#include "checker/base/vec.h"
#include "checker/cmd/cost_mapping.h"
#include "checker/cmd/expect.h"
#include "checker/cmd/hardware.h"
#include "checker/cmd/models.h"
#include "checker/report/json.h"
#include "checker/report/log.h"

struct explore_command {
  struct invocation *call;
  struct hardware hardware;
  struct pricing *pricing;          /* -cost, or NULL */
  const struct recording *expected; /* -expect, or NULL */
  struct test_runner runner;
};

/* The states of the log: sorted, each once. */
struct reached {
  const int64_t **at;
  size_t count;
  size_t matching;
};

/* What is observed: the test's observables, or everything when a filter may ask
 * for more than the log shows. */
struct observed {
  const struct observable *at;
  unsigned count;
};

struct lookup {
  const struct observed *observed;
  const int64_t *values;
};

static int64_t value_of(void *context, struct observable what) {
  const struct lookup *lookup = context;
  for (unsigned i = 0; i < lookup->observed->count; i++)
    if (lookup->observed->at[i].thread == what.thread && lookup->observed->at[i].index == what.index)
      return lookup->values[i];
  return 0;
}

static bool holds(const struct prop *prop, const struct observed *observed, const int64_t *values) {
  struct lookup lookup = {observed, values};
  return !prop || prop_holds(prop, value_of, &lookup);
}

static int by_value(const void *a, const void *b, void *context) {
  const int64_t *x = *(const int64_t *const *)a, *y = *(const int64_t *const *)b;
  unsigned width = *(const unsigned *)context;
  for (unsigned i = 0; i < width; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* An outcome as the log shows it. */
static const int64_t *project(struct arena *arena, const struct litmus_test *test, const struct observed *observed,
                              const int64_t *values) {
  struct lookup lookup = {observed, values};
  int64_t *shown = ARENA_ARRAY(arena, int64_t, test->observable_count + 1);
  for (unsigned i = 0; i < test->observable_count; i++) shown[i] = value_of(&lookup, test->observables[i]);
  return shown;
}

static struct reached collect(struct arena *arena, const struct litmus_test *test, const struct observed *observed,
                              const struct exploration *found) {
  struct reached reached = {.at = ARENA_ARRAY(arena, const int64_t *, found->outcome_count + 1)};
  for (size_t i = 0; i < found->outcome_count; i++)
    if (holds(test->filter, observed, found->outcomes[i].values))
      reached.at[reached.count++] = project(arena, test, observed, found->outcomes[i].values);
  unsigned width = test->observable_count;
  if (reached.count) qsort_r(reached.at, reached.count, sizeof *reached.at, by_value, &width);
  size_t kept = 0;
  for (size_t i = 0; i < reached.count; i++)
    if (kept == 0 || by_value(&reached.at[kept - 1], &reached.at[i], &width) != 0) reached.at[kept++] = reached.at[i];
  reached.count = kept;
  struct observed shown = {test->observables, test->observable_count};
  for (size_t i = 0; i < reached.count; i++) reached.matching += holds(test->condition, &shown, reached.at[i]);
  return reached;
}

static struct observed observe(struct arena *arena, const struct litmus_test *test) {
  struct observed observed = {test->observables, test->observable_count};
  if (test->filter) observed.at = observables_all(arena, test->program, &observed.count);
  return observed;
}

static bool answer(const struct litmus_test *test, const struct reached *reached) {
  switch (test->quantifier) {
    case QUANT_EXISTS:
      return reached->matching > 0;
    case QUANT_NOT_EXISTS:
      return reached->matching == 0;
    case QUANT_FORALL:
      break;
  }
  return reached->matching == reached->count;
}

static void write_states(const struct litmus_test *test, const struct reached *reached, FILE *out) {
  fprintf(out, "States %zu\n", reached->count);
  for (size_t i = 0; i < reached->count; i++) log_write_state(out, test, reached->at[i]);
  size_t failing = reached->count - reached->matching;
  bool negative = test->quantifier == QUANT_NOT_EXISTS;
  fprintf(out, "%s\nWitnesses\nPositive: %zu Negative: %zu\n", answer(test, reached) ? "Ok" : "No",
          negative ? failing : reached->matching, negative ? reached->matching : failing);
  /* Races are the model's matter: on a machine nothing is undefined. */
  fprintf(out, "Bad executions (0 in total):\nCondition %s\n", test->condition_text);
  fprintf(out, "Observation %s %s %zu %zu\n", test->name, log_observation_of(reached->matching, failing),
          reached->matching, failing);
}

static void write_log(const struct litmus_test *test, const struct exploration *found, const struct reached *reached,
                      const char *cost, FILE *out) {
  fprintf(out, "Test %s %s\n", test->name, log_kind(test->quantifier));
  if (found->end == EXPLORE_DONE)
    write_states(test, reached, out);
  else
    fprintf(out, "Undecided: %s after %llu states\n" LOG_NO_RESULT "Condition %s\n", explore_end_text(found->end),
            (unsigned long long)found->stats.states, test->condition_text);
  if (found->stats.deadlocks) fprintf(out, "Deadlocks %llu\n", (unsigned long long)found->stats.deadlocks);
  fprintf(out, "States-explored %llu\nTransitions %llu\n", (unsigned long long)found->stats.states,
          (unsigned long long)found->stats.transitions);
  fprintf(out, "%sTime %s %.2f\nHash=%s\n", cost, test->name, found->stats.seconds, test->hash);
}

static void write_json(const struct litmus_test *test, const struct target *target, const struct exploration *found,
                       const struct reached *reached, FILE *out) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_key(&j, "test");
  json_string(&j, test->name);
  json_key(&j, "file");
  json_string(&j, test->source->name);
  json_key(&j, "mapping");
  json_string(&j, target->name);
  json_key(&j, "complete");
  json_bool(&j, found->end == EXPLORE_DONE);
  if (found->end != EXPLORE_DONE) {
    json_key(&j, "limit");
    json_string(&j, explore_end_text(found->end));
  }
  json_key(&j, "states");
  json_begin_array(&j);
  for (size_t i = 0; i < reached->count; i++) {
    json_begin_object(&j);
    for (unsigned k = 0; k < test->observable_count; k++) {
      json_observable_key(&j, test, test->observables[k]);
      json_integer(&j, reached->at[i][k]);
    }
    json_end_object(&j);
  }
  json_end_array(&j);
  json_key(&j, "deadlocks");
  json_unsigned(&j, found->stats.deadlocks);
  json_key(&j, "states_explored");
  json_unsigned(&j, found->stats.states);
  json_key(&j, "transitions");
  json_unsigned(&j, found->stats.transitions);
  json_key(&j, "seconds");
  json_real(&j, found->stats.seconds);
  json_end_object(&j);
  fputc('\n', out);
}

static void write_stats(const struct litmus_test *test, const struct target *target, const struct exploration *found,
                        FILE *err) {
  const struct explore_stats *s = &found->stats;
  double rate = s->seconds > 0 ? (double)s->states / s->seconds : 0;
  fprintf(err,
          "Stats %s %s: %llu states, %llu transitions, %llu final, %llu deadlocks, depth %u, %.0f states/s, "
          "%.1f bytes/state, %.6f s\n",
          test->name, target->name, (unsigned long long)s->states, (unsigned long long)s->transitions,
          (unsigned long long)s->finals, (unsigned long long)s->deadlocks, s->depth, rate,
          s->states ? (double)s->bytes / (double)s->states : 0, s->seconds);
}

static void add_record(const struct litmus_test *test, const struct target *target, const struct exploration *found,
                       const struct reached *reached, const char *difference, struct test_output *output) {
  struct record *record = vec_push(output->arena, &output->records);
  *record = (struct record){.test = test->name,
                            .file = test->source->name,
                            .subject = target->name,
                            .verdict = log_observation_of(reached->matching, reached->count - reached->matching),
                            .seconds = found->stats.seconds};
  if (difference) {
    record->kind = RECORD_DIFFERS;
    record->message = difference;
  }
  if (found->end == EXPLORE_DONE) return;
  record->kind = RECORD_LIMIT;
  record->verdict = "";
  record->message = explore_end_text(found->end);
}

/* What differs from what -expect says; NULL: nothing. */
static const char *compare_expected(const struct explore_command *command, const struct litmus_test *test,
                                    const struct target *target, const struct exploration *found,
                                    const struct reached *reached, struct test_output *output) {
  if (!command->expected || found->end != EXPLORE_DONE) return NULL;
  struct recorded result = {.test = test->name, .model = target->name};
  result.observation = log_observation_of(reached->matching, reached->count - reached->matching);
  recorded_set_states(output->arena, &result, test, reached->at, reached->count);
  return expect_compare(command->expected, &result, test->source->name, output);
}

static void explore_one(const struct explore_command *command, const struct target *target,
                        const struct litmus_test *test, struct explorer *explorer, struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  struct explore_options options = hardware_explore_options(command->call, command->runner.cancel);
  struct machine machine;
  struct exploration found;
  struct observed observed = observe(output->arena, test);
  if (!target_explore(target, test->program, observed.at, observed.count, explorer, &options, output->arena, &machine,
                      &found, &diags)) {
    hardware_refuse(output, test, target->name, &diags);
    return;
  }
  struct reached reached = collect(output->arena, test, &observed, &found);
  size_t count;
  hardware_targets(&command->hardware, test, &count);
  if (count > 1) fprintf(output->out, "Mapping %s\n", target->name);
  const char *cost = command->pricing ? pricing_target_line(command->pricing, test, target, output->arena) : "";
  write_log(test, &found, &reached, cost, output->out);
  if (found.deadlock != EXPLORE_NO_STATE) {
    struct explore_step *trace;
    size_t length = explore_trace(explorer, found.deadlock, output->arena, &trace);
    fprintf(output->out, "Deadlock after\n");
    hardware_print_trace(&machine, trace, length, output->out);
    machine.print_state(&machine, length ? trace[length - 1].after : NULL, output->out);
  }
  fputc('\n', output->out);
  if (output->json) write_json(test, target, &found, &reached, output->json);
  if (option_on(command->call, OPTION_STATS)) write_stats(test, target, &found, output->err);
  const char *difference = compare_expected(command, test, target, &found, &reached, output);
  add_record(test, target, &found, &reached, difference, output);
  if (found.end != EXPLORE_DONE) {
    fprintf(output->err, "%s: %s: no answer for %s\n", test->source->name, explore_end_text(found.end), test->name);
    output->status = status_join(output->status, STATUS_LIMIT);
  }
}

static void explore_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct explore_command *command = context;
  (void)workers;
  size_t count;
  const struct target *targets = hardware_targets(&command->hardware, test, &count);
  struct explorer *explorer = explorer_new();
  for (size_t i = 0; i < count; i++) explore_one(command, &targets[i], test, explorer, output);
  explorer_free(explorer);
}

int command_explore(struct invocation *call) {
  struct explore_command command = {.call = call, .runner = {.run = explore_test}};
  struct diags diags = diags_new(call->arena);
  models_check_variants(call, NULL, 0, &diags);
  if (diags.errors || !hardware_load(call, &command.hardware, &diags) ||
      !pricing_load(call, &command.pricing, &diags) || !expect_load(call, &command.expected, &diags))
    return diags_report(&diags);
  command.runner.context = &command;
  return tests_run(call, &command.runner);
}
