/* SPDX-License-Identifier: MIT */
/* Histograms in litmus7's format: `COUNT *>STATE`, the star at states that meet
 * the condition.  What litmus7 does not say (violations, states not seen) stands
 * after the entry's own lines, where its readers pass over it. */
#include "checker/report/histogram.h"

#include <inttypes.h>

#include "checker/base/array.h"
#include "checker/report/json.h"
#include "checker/report/log.h"

static bool meets(const struct litmus_test *test, const struct outcome *state) {
  return shown_meets(&(struct shown_state){test->observables, test->observable_count, state->values}, test->condition);
}

static void write_states(FILE *out, const struct seen *seen) {
  fprintf(out, "Histogram (%zu states)\n", seen->states.count);
  ARRAY_EACH (const struct outcome, state, seen->states.at, seen->states.count) {
    fprintf(out, "%-6" PRIu64 "%c>", state->count, meets(seen->test, state) ? '*' : ':');
    log_write_state(out, seen->test, state->values);
  }
}

static void write_answer(FILE *out, const struct seen *seen) {
  const struct litmus_test *test = seen->test;
  const struct outcomes *states = &seen->states;
  bool ok = outcomes_answer(states, test->quantifier), negative = test->quantifier == QUANT_NOT_EXISTS;
  fprintf(out, "%s\n\nWitnesses\nPositive: %" PRIu64 ", Negative: %" PRIu64 "\n", ok ? "Ok" : "No",
          negative ? states->failing : states->matching, negative ? states->matching : states->failing);
  fprintf(out, "Condition %s is %svalidated\nHash=%s\n", test->condition_text, ok ? "" : "NOT ", test->hash);
  fprintf(out, "Observation %s %s %" PRIu64 " %" PRIu64 "\n", test->name, outcomes_observation(states),
          states->matching, states->failing);
}

static void write_run(FILE *out, const struct seen *seen, const struct histogram_run *run) {
  fprintf(out, "Time %s %.2f\n", seen->test->name, run->seconds);
  fprintf(out, "Device %s: %" PRIu64 " instances in %" PRIu64 " launches, seed %" PRIu64 ", %s\n", run->device,
          run->instances, run->launches, run->seed, run->settings);
  if (run->note) fprintf(out, "Note %s\n", run->note);
}

static void write_unseen(FILE *out, const struct seen *seen) {
  for (size_t i = 0; i < seen->unseen.count && i < HISTOGRAM_TOLD; i++) {
    fputs("Not seen ", out);
    log_write_state(out, seen->test, seen->unseen.at[i].values);
  }
  if (seen->unseen.count > HISTOGRAM_TOLD) fprintf(out, "Not seen: %zu more\n", seen->unseen.count - HISTOGRAM_TOLD);
}

static void write_judgement(FILE *out, const struct seen *seen, const char *const *why) {
  const char *model = seen->verdict->model;
  switch (seen->answer) {
    case SEEN_ALLOWED:
      fprintf(out, "All that was seen is allowed by %s\n", model);
      break;
    case SEEN_UNDEFINED:
      fprintf(out, "Undefined under %s: nothing is concluded\n", model);
      return;
    case SEEN_UNDECIDED:
      fprintf(out, "Undecided under %s: %s\n", model, seen->reason);
      return;
    case SEEN_VIOLATION:
      for (size_t i = 0; i < seen->violation_count && i < HISTOGRAM_TOLD; i++) {
        fprintf(out, "Violation of %s, seen %" PRIu64 " times: ", model, seen->violations[i].count);
        log_write_state(out, seen->full, seen->violations[i].values);
        fputs(why[i], out);
      }
      if (seen->violation_count > HISTOGRAM_TOLD)
        fprintf(out, "Violations: %zu more outcomes\n", seen->violation_count - HISTOGRAM_TOLD);
  }
  write_unseen(out, seen);
}

void histogram_write(FILE *out, const struct seen *seen, const struct histogram_run *run, const char *const *why) {
  fprintf(out, "Test %s %s\n", seen->test->name, log_kind(seen->test->quantifier));
  write_states(out, seen);
  write_answer(out, seen);
  write_run(out, seen, run);
  write_judgement(out, seen, why);
  fputc('\n', out);
}

void histogram_write_none(FILE *out, const struct litmus_test *test, const char *reason) {
  fprintf(out, "Test %s %s\nUndecided: %s\n" LOG_NO_RESULT "Condition %s\nHash=%s\n\n", test->name,
          log_kind(test->quantifier), reason, test->condition_text, test->hash);
}

/* ---- JSON ---- */

static void json_violations(struct json *j, const struct seen *seen, const char *const *why) {
  json_open_array(j, "violations");
  for (size_t i = 0; i < seen->violation_count; i++) {
    json_begin_object(j);
    json_key(j, "values");
    json_outcome(j, seen->full, seen->violations[i].values);
    json_put_unsigned(j, "instances", seen->violations[i].count);
    json_put_string(j, "why", why[i]);
    json_end_object(j);
  }
  json_end_array(j);
  json_open_array(j, "not_seen");
  for (size_t i = 0; i < seen->unseen.count; i++) json_outcome(j, seen->test, seen->unseen.at[i].values);
  json_end_array(j);
}

void histogram_write_json(FILE *out, const struct seen *seen, const struct histogram_run *run, const char *const *why) {
  struct json j = {.out = out};
  json_begin_question(&j, seen->test, "device", run->device);
  json_put_bool(&j, "complete", true);
  json_put_string(&j, "model", seen->verdict->model);
  json_put_string(&j, "answer", seen_answer_name(seen->answer));
  json_put_string(&j, "reason", seen->reason);
  json_put_answer(&j, outcomes_answer(&seen->states, seen->test->quantifier), outcomes_observation(&seen->states),
                  &seen->states);
  json_put_states(&j, seen->test, &seen->states, "instances");
  json_violations(&j, seen, why);
  json_put_unsigned(&j, "instances", run->instances);
  json_put_unsigned(&j, "launches", run->launches);
  json_put_unsigned(&j, "seed", run->seed);
  json_put_string(&j, "settings", run->settings);
  json_put_string(&j, "note", run->note);
  json_put_real(&j, "seconds", run->seconds);
  json_end_line(&j);
}

void histogram_write_none_json(FILE *out, const struct litmus_test *test, const char *device, const char *reason) {
  struct json j = {.out = out};
  json_begin_question(&j, test, "device", device);
  json_put_bool(&j, "complete", false);
  json_put_string(&j, "limit", reason);
  json_end_line(&j);
}
