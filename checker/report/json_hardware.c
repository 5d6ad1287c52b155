/* SPDX-License-Identifier: MIT */
/* What the machines showed, as JSON.  The names are those of
 * results.schema.json and of the tables' columns. */
#include "checker/report/json_hardware.h"

#include "checker/base/text.h"
#include "checker/report/log.h"

static void write_counters(struct json *j, const struct explore_stats *stats) {
  json_put_unsigned(j, "states_explored", stats->states);
  json_put_unsigned(j, "transitions", stats->transitions);
  json_put_real(j, "seconds", stats->seconds);
}

void json_write_exploration(FILE *out, const struct reached *reached) {
  const struct litmus_test *test = reached->test;
  const struct exploration *found = &reached->found;
  struct json j = {.out = out};
  json_begin_result(&j, test, "mapping", reached->target);
  json_put_string(&j, "kind", log_kind(test->quantifier));
  json_put_string(&j, "condition", test->condition_text);
  const char *limit = reached->machine.lacks ? reached->machine.lacks : explore_end_text(found->end);
  json_put_bool(&j, "complete", !limit);
  if (limit) {
    json_put_string(&j, "limit", limit);
  } else {
    json_put_answer(&j, outcomes_answer(&reached->states, test->quantifier), outcomes_observation(&reached->states),
                    &reached->states);
  }
  json_open_array(&j, "states");
  for (size_t i = 0; i < reached->states.count; i++) json_outcome(&j, test, reached->states.at[i].values);
  json_end_array(&j);
  json_put_unsigned(&j, "deadlocks", found->stats.deadlocks);
  write_counters(&j, &found->stats);
  json_end_line(&j);
}

void json_put_trace(struct json *j, const struct verify_result *example) {
  json_open_array(j, "trace");
  for (size_t i = 0; example && i < example->trace_length; i++) {
    const struct explore_step *step = &example->trace[i];
    struct text text = text_new();
    example->machine.print_step(&example->machine, step->step, step->before, step->after, text.out);
    text_end(&text);
    json_string(j, text.at);
    text_free(&text);
  }
  json_end_array(j);
}

/* Of targets that run code. */
static void put_code_size(struct json *j, const struct machine *machine) {
  if (!machine->code_size) return;
  struct code_size size = machine->code_size(machine);
  json_put_unsigned(j, "instructions", size.instructions);
  if (size.ptx) {
    json_put_unsigned(j, "fences", size.fences);
    json_put_unsigned(j, "ordered", size.ordered);
    return;
  }
  json_put_unsigned(j, "waits", size.waits);
  json_put_unsigned(j, "invalidates", size.invalidates);
  json_put_unsigned(j, "write_backs", size.write_backs);
}

void json_write_verification(FILE *out, const struct litmus_test *test, const char *target, const char *model,
                             const struct verify_result *result) {
  struct json j = {.out = out};
  json_begin_result(&j, test, "mapping", target);
  json_put_string(&j, "model", model);
  json_put_string(&j, "answer", verify_answer_name(result->answer));
  json_put_string(&j, "outcome", result->outcome ? result->test->condition_text : NULL);
  json_put_string(&j, "reason", result->reason);
  json_put_trace(&j, result);
  put_code_size(&j, &result->machine);
  write_counters(&j, &result->stats);
  json_end_line(&j);
}
