/* SPDX-License-Identifier: MIT */
/* What the machines showed, as JSON.  The names are those of
 * results.schema.json and of the tables' columns. */
#include "checker/report/json_hardware.h"

#include "checker/base/text.h"
#include "checker/report/json.h"
#include "checker/report/log.h"

static void write_counters(struct json *j, const struct explore_stats *stats) {
  json_key(j, "states_explored");
  json_unsigned(j, stats->states);
  json_key(j, "transitions");
  json_unsigned(j, stats->transitions);
  json_key(j, "seconds");
  json_real(j, stats->seconds);
}

/* The answer to the test's question, as check's results have it. */
static void write_answer(struct json *j, const struct reached *reached) {
  json_key(j, "verdict");
  json_string(j, outcomes_answer(&reached->states, reached->test->quantifier) ? "Ok" : "No");
  json_key(j, "observation");
  json_string(j, log_reached_observation(reached));
  json_key(j, "matching");
  json_unsigned(j, reached->states.matching);
  json_key(j, "failing");
  json_unsigned(j, reached->states.failing);
}

void json_write_exploration(FILE *out, const struct reached *reached) {
  const struct litmus_test *test = reached->test;
  const struct exploration *found = &reached->found;
  struct json j = {.out = out};
  json_begin_object(&j);
  json_key(&j, "test");
  json_string(&j, test->name);
  json_key(&j, "file");
  json_string(&j, test->source->name);
  json_key(&j, "mapping");
  json_string(&j, reached->target);
  json_key(&j, "kind");
  json_string(&j, log_kind(test->quantifier));
  json_key(&j, "condition");
  json_string(&j, test->condition_text);
  const char *limit = reached->machine.lacks ? reached->machine.lacks : explore_end_text(found->end);
  json_key(&j, "complete");
  json_bool(&j, !limit);
  if (limit) {
    json_key(&j, "limit");
    json_string(&j, limit);
  } else {
    write_answer(&j, reached);
  }
  json_key(&j, "states");
  json_begin_array(&j);
  for (size_t i = 0; i < reached->states.count; i++) {
    json_begin_object(&j);
    for (unsigned k = 0; k < test->observable_count; k++) {
      json_observable_key(&j, test, test->observables[k]);
      json_value(&j, test->program, reached->states.at[i].values[k]);
    }
    json_end_object(&j);
  }
  json_end_array(&j);
  json_key(&j, "deadlocks");
  json_unsigned(&j, found->stats.deadlocks);
  write_counters(&j, &found->stats);
  json_end_object(&j);
  fputc('\n', out);
}

void json_write_verification(FILE *out, const struct litmus_test *test, const char *target, const char *model,
                             const struct verify_result *result) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_key(&j, "test");
  json_string(&j, test->name);
  json_key(&j, "file");
  json_string(&j, test->source->name);
  json_key(&j, "mapping");
  json_string(&j, target);
  json_key(&j, "model");
  json_string(&j, model);
  json_key(&j, "answer");
  json_string(&j, verify_answer_name(result->answer));
  json_key(&j, "outcome");
  json_string(&j, result->outcome ? result->test->condition_text : NULL);
  json_key(&j, "reason");
  json_string(&j, result->reason);
  json_key(&j, "trace");
  json_begin_array(&j);
  for (size_t i = 0; i < result->trace_length; i++) {
    struct text text;
    text_open(&text);
    const struct explore_step *step = &result->trace[i];
    result->machine.print_step(&result->machine, step->step, step->before, step->after, text.out);
    text_end(&text);
    json_string(&j, text.at);
    text_free(&text);
  }
  json_end_array(&j);
  write_counters(&j, &result->stats);
  json_end_object(&j);
  fputc('\n', out);
}
