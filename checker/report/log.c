/* SPDX-License-Identifier: MIT */
/* The log writer. */
#include "checker/report/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *log_kind(enum quantifier quantifier) {
  static const char *const kinds[] = {
      [QUANT_EXISTS] = "Allowed", [QUANT_NOT_EXISTS] = "Forbidden", [QUANT_FORALL] = "Required"};
  return kinds[quantifier];
}

bool log_read_kind(const char *text, enum quantifier *quantifier) {
  static const char *const short_words[] = {
      [QUANT_EXISTS] = "Allow", [QUANT_NOT_EXISTS] = "Forbid", [QUANT_FORALL] = "Require"};
  for (unsigned i = 0; i < sizeof short_words / sizeof *short_words; i++) {
    if (strcmp(text, short_words[i]) != 0 && strcmp(text, log_kind((enum quantifier)i)) != 0) continue;
    *quantifier = (enum quantifier)i;
    return true;
  }
  return false;
}

const char *log_observation_of(uint64_t matching, uint64_t failing) {
  return !matching ? "Never" : failing ? "Sometimes" : "Always";
}

/* What settles the question was found, or there is none: how often the rest
 * occurs was not asked. */
static const char *partial_observation(const struct verdict *v) {
  if (v->matching || v->failing) return "Sometimes";
  return v->test->quantifier == QUANT_FORALL ? "Always" : "Never";
}

const char *log_observation(const struct verdict *v) {
  if (v->partial) return partial_observation(v);
  return log_observation_of(v->matching, v->failing);
}

const char *log_limit(enum enumerate_end end) {
  switch (end) {
    case END_TIMEOUT:
      return "time limit";
    case END_EVENTS:
      return "limit on events";
    case END_MEMORY:
      return "memory limit";
    case END_CANCELLED:
      return "interrupt";
    case END_MODEL:
      return "error in the model";
    case END_DONE:
    case END_STOPPED:
      break;
  }
  return "stop";
}

char *log_observable_name(const struct litmus_test *test, struct observable what) {
  const struct program *program = test->program;
  const struct location *location = what.thread < 0 ? &program->locations[what.index] : NULL;
  char *name = NULL;
  int size = location ? asprintf(&name, location_is_cell(location) ? "%s" : "[%s]", location->name)
                      : asprintf(&name, "%d:%s", what.thread, program->threads[what.thread].reg_names[what.index]);
  if (size < 0) abort();
  return name;
}

/* States come by the ten thousand: printf would be a good part of a run. */
static void write_number(FILE *out, int64_t value) {
  char digits[24];
  char *at = digits + sizeof digits;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) *--at = '-';
  fwrite_unlocked(at, 1, (size_t)(digits + sizeof digits - at), out);
}

void log_write_state(FILE *out, const struct litmus_test *test, const int64_t *values) {
  const struct program *program = test->program;
  for (unsigned i = 0; i < test->observable_count; i++) {
    struct observable what = test->observables[i];
    if (i) fputc_unlocked(' ', out);
    if (what.thread < 0) {
      const struct location *location = &program->locations[what.index];
      bool bare = location_is_cell(location);
      if (!bare) fputc_unlocked('[', out);
      fputs_unlocked(location->name, out);
      if (!bare) fputc_unlocked(']', out);
    } else {
      write_number(out, what.thread);
      fputc_unlocked(':', out);
      fputs_unlocked(program->threads[what.thread].reg_names[what.index], out);
    }
    fputc_unlocked('=', out);
    write_number(out, values[i]);
    fputc_unlocked(';', out);
  }
  fputc_unlocked('\n', out);
}

static void write_bad(FILE *out, const struct verdict *v) {
  fprintf(out, "Bad executions (%" PRIu64 " in total):", v->bad);
  for (uint64_t i = 0; v->bad_list && i < v->bad; i++) fprintf(out, "%s%" PRIu64, i ? "," : " ", v->bad_list[i]);
  fputc('\n', out);
}

static void write_result(FILE *out, const struct verdict *v) {
  const struct litmus_test *test = v->test;
  fprintf(out, "States %zu\n", v->state_count);
  for (size_t i = 0; i < v->state_count; i++) log_write_state(out, test, v->states[i].values);
  fprintf(out, "%s%s\nWitnesses\n", v->stats.cut ? "Loop " : "", v->ok ? "Ok" : "No");
  bool negative = test->quantifier == QUANT_NOT_EXISTS;
  fprintf(out, "Positive: %" PRIu64 " Negative: %" PRIu64 "\n", negative ? v->failing : v->matching,
          negative ? v->matching : v->failing);
  for (size_t i = 0; i < v->flag_count; i++) fprintf(out, "Flag %s\n", v->flags[i].name);
  write_bad(out, v);
  fprintf(out, "Condition %s\n", test->condition_text);
  fprintf(out, "Observation %s %s %" PRIu64 " %" PRIu64 "\n", test->name, log_observation(v), v->matching, v->failing);
}

void log_write(FILE *out, const struct verdict *v, const char *why) {
  const struct litmus_test *test = v->test;
  fprintf(out, "Test %s %s\n", test->name, log_kind(test->quantifier));
  if (v->end == END_DONE)
    write_result(out, v);
  else
    fprintf(out, "Undecided: %s met after %" PRIu64 " executions\n" LOG_NO_RESULT "Condition %s\n", log_limit(v->end),
            v->matching + v->failing, test->condition_text);
  fprintf(out, "Time %s %.2f\nHash=%s\n", test->name, v->seconds, test->hash);
  if (why) fputs(why, out);
  fputc('\n', out);
}
