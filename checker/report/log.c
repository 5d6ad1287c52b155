/* SPDX-License-Identifier: MIT */
/* The log writer: herd's entries, line for line, so that mcompare and the
 * like read them. */
#include "checker/report/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"

const char *log_kind(enum quantifier quantifier) {
  static const char *const kinds[] = {
      [QUANT_EXISTS] = "Allowed", [QUANT_NOT_EXISTS] = "Forbidden", [QUANT_FORALL] = "Required"};
  return kinds[quantifier];
}

bool log_read_kind(const char *text, enum quantifier *quantifier) {
  static const char *const short_words[] = {
      [QUANT_EXISTS] = "Allow", [QUANT_NOT_EXISTS] = "Forbid", [QUANT_FORALL] = "Require"};
  for (unsigned i = 0; i < ARRAY_COUNT(short_words); i++) {
    if (strcmp(text, short_words[i]) != 0 && strcmp(text, log_kind((enum quantifier)i)) != 0) continue;
    *quantifier = (enum quantifier)i;
    return true;
  }
  return false;
}

/* What settles the question was found, or there is none: how often the rest
 * occurs was not asked. */
static const char *partial_observation(const struct verdict *v) {
  bool all = v->test->quantifier == QUANT_FORALL;
  if (all ? v->states.failing : v->states.matching) return "Sometimes";
  return all ? "Always" : "Never";
}

const char *log_observation(const struct verdict *v) {
  if (v->any_outcome) return "Sometimes";
  if (v->partial && !v->empty) return partial_observation(v);
  return outcomes_observation(&v->states);
}

const char *log_limit(enum enumerate_end end) {
  static const char *const words[] = {
      [END_TIMEOUT] = "time limit",  [END_EVENTS] = "limit on events",   [END_MEMORY] = "memory limit",
      [END_CANCELLED] = "interrupt", [END_MODEL] = "error in the model", [END_DONE] = "stop",
      [END_STOPPED] = "stop"};
  return words[end];
}

char *log_observable_name(const struct litmus_test *test, struct observable what) {
  const struct program *program = test->program;
  const struct location *location = what.thread < 0 ? &program->locations[what.index] : NULL;
  char *name = NULL;
  int size = location ? asprintf(&name, location_is_cell(location) ? "%s" : "[%s]", location->name)
                      : asprintf(&name, "%d:%s", what.thread, program->threads[what.thread].reg_names[what.index]);
  if (size < 0) guard_out_of_memory();
  return name;
}

const char *log_observable_text(struct arena *arena, const struct litmus_test *test, struct observable what) {
  char *name = log_observable_name(test, what);
  const char *text = arena_strdup(arena, name);
  free(name);
  return text;
}

/* States come by the ten thousand: printf, and even a call for each word, would be a
 * good part of a run.  They are put together here. */
struct line {
  FILE *out;
  size_t length;
  bool broken; /* some of the line has been written already */
  char text[2048];
};

static void flush_line(struct line *line) {
  fwrite_unlocked(line->text, 1, line->length, line->out);
  line->length = 0;
  line->broken = true;
}

static void put(struct line *line, const char *text, size_t length) {
  if (length > sizeof line->text - line->length) flush_line(line);
  if (length > sizeof line->text) {
    fwrite_unlocked(text, 1, length, line->out);
  } else {
    memcpy(line->text + line->length, text, length);
    line->length += length;
  }
}

static void put_text(struct line *line, const char *text) {
  put(line, text, strlen(text));
}

static void put_number(struct line *line, int64_t value) {
  char digits[24];
  char *at = digits + sizeof digits;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) *--at = '-';
  put(line, at, (size_t)(digits + sizeof digits - at));
}

static void put_observable(struct line *line, const struct program *program, struct observable what) {
  if (what.thread < 0) {
    const struct location *location = &program->locations[what.index];
    bool bare = location_is_cell(location);
    if (!bare) put_text(line, "[");
    put_text(line, location->name);
    if (!bare) put_text(line, "]");
  } else {
    put_number(line, what.thread);
    put_text(line, ":");
    put_text(line, program->threads[what.thread].reg_names[what.index]);
  }
}

static void put_value(struct line *line, const struct litmus_test *test, unsigned i, int64_t value) {
  const struct program *program = test->program;
  bool real = observable_width(program, test->observables[i]).is_real;
  if (program->hexadecimal || real || program_addressed(program, value) >= 0) {
    flush_line(line);
    observable_print_value(program, test->observables[i], value, line->out);
  } else {
    put_number(line, value);
  }
}

/* A part of a state, which may be an array; returns how many values it shows. */
static unsigned put_part(struct line *line, const struct litmus_test *test, unsigned i, const int64_t *values) {
  unsigned whole = test->whole ? test->whole[i] : 0;
  if (i) put_text(line, " ");
  if (whole) {
    const char *name = observable_name(test->program, test->observables[i]);
    put(line, name, strcspn(name, "["));
  } else {
    put_observable(line, test->program, test->observables[i]);
  }
  put_text(line, whole ? "={" : "=");
  for (unsigned k = 0; k < whole || !k; k++) {
    if (k) put_text(line, ",");
    put_value(line, test, i + k, values[i + k]);
  }
  put_text(line, whole ? "};" : ";");
  return whole ? whole : 1;
}

/* In order, states mostly begin as the one before: of a line that is still there,
 * what follows the values that they share is written anew.  `begins`: where in it
 * each part does. */
static void write_after(struct line *line, const struct litmus_test *test, const int64_t *values, const int64_t *before,
                        size_t *begins) {
  unsigned i = 0;
  while (before && !line->broken && !test->whole && i < test->observable_count && values[i] == before[i]) i++;
  line->length = i ? begins[i] : 0;
  line->broken = false;
  while (i < test->observable_count) {
    begins[i] = line->length;
    i += put_part(line, test, i, values);
  }
  begins[i] = line->length;
  put_text(line, "\n");
  fwrite_unlocked(line->text, 1, line->length, line->out);
}

static void write_states(FILE *out, const struct litmus_test *test, const struct outcome *states, size_t count) {
  struct line line;
  size_t begins[test->observable_count + 1];
  line.out = out;
  for (size_t i = 0; i < count; i++)
    write_after(&line, test, states[i].values, i ? states[i - 1].values : NULL, begins);
}

void log_write_state(FILE *out, const struct litmus_test *test, const int64_t *values) {
  const struct outcome state = {.values = values};
  write_states(out, test, &state, 1);
}

const char *log_state_text(struct arena *arena, const struct litmus_test *test, const int64_t *values) {
  char *kept = TEXT_PRINTED(arena, out, log_write_state(out, test, values));
  kept[strcspn(kept, "\n")] = '\0';
  return kept;
}

static void write_answer(FILE *out, const struct litmus_test *test, const struct outcomes *states, const char *loop,
                         bool ok) {
  fprintf(out, "States %zu\n", states->count);
  write_states(out, test, states->at, states->count);
  fprintf(out, "%s%s\nWitnesses\n", loop, ok ? "Ok" : "No");
  bool negative = test->quantifier == QUANT_NOT_EXISTS;
  fprintf(out, "Positive: %" PRIu64 " Negative: %" PRIu64 "\n", negative ? states->failing : states->matching,
          negative ? states->matching : states->failing);
}

static void write_bad(FILE *out, const struct verdict *v) {
  fprintf(out, "Bad executions (%" PRIu64 " in total):", v->bad);
  struct line line = {.out = out};
  for (uint64_t i = 0; v->bad_list && i < v->bad; i++) {
    put_text(&line, i ? "," : " ");
    put_number(&line, (int64_t)v->bad_list[i]);
  }
  put_text(&line, "\n");
  flush_line(&line);
}

static void write_observation(FILE *out, const struct litmus_test *test, const struct outcomes *states,
                              const char *observation) {
  fprintf(out, "Condition %s\n", test->condition_text);
  fprintf(out, "Observation %s %s %" PRIu64 " %" PRIu64 "\n", test->name, observation, states->matching,
          states->failing);
}

static void write_assertions(FILE *out, const struct verdict *v) {
  for (size_t i = 0; v->assertions && i < v->test->assertion_count; i++) {
    const struct assertion *assertion = &v->test->assertions[i];
    const struct assertion_answer *answer = &v->assertions[i];
    fprintf(out, "Assertion %zu %s %s: ", i + 1, assertion->satisfiable ? "SATISFIABLE" : "NOSOLUTION",
            assertion->text);
    if (answer->unsupported)
      fprintf(out, "Unsupported (%s)\n", answer->unsupported);
    else
      fprintf(out, "%s\n", answer->holds ? "Ok" : "No");
  }
}

static void write_result(FILE *out, const struct verdict *v) {
  write_answer(out, v->test, &v->states, v->stats.cut ? "Loop " : "", verdict_ok(v));
  for (size_t i = 0; i < v->flag_count; i++) fprintf(out, "Flag %s\n", v->flags[i].name);
  write_bad(out, v);
  for (size_t i = 0; i < v->flag_count; i++)
    if (v->flags[i].meaning) fprintf(out, "Means %s: %s\n", v->flags[i].name, v->flags[i].meaning);
  write_observation(out, v->test, &v->states, log_observation(v));
  write_assertions(out, v);
}

static void open_entry(FILE *out, const struct litmus_test *test) {
  fprintf(out, "Test %s %s\n", test->name, log_kind(test->quantifier));
}

static void write_time(FILE *out, const struct litmus_test *test, double seconds) {
  fprintf(out, "Time %s %.2f\n", test->name, seconds);
}

/* How the answer was come by, where that is not by trying all executions. */
static void write_means(FILE *out, const struct verdict *v) {
  unsigned folded = v->loops_folded;
  if (folded) fprintf(out, "Folded %s rounds of %u loop%s\n", v->test->name, folded, folded > 1 ? "s" : "");
  if (v->end == END_DONE && v->solved)
    fprintf(out, "Solved %s with %s\n", v->test->name,
            verdict_lists_all(v) ? LOG_ALL_STATES : "executions of some states");
  else if (v->end == END_DONE && v->partial)
    fprintf(out, "Settled %s: not all states are listed\n", v->test->name);
}

static void write_hash(FILE *out, const struct litmus_test *test) {
  fprintf(out, "Hash=%s\n", test->hash);
}

void log_write(FILE *out, const struct verdict *v, bool candidates, const char *why) {
  open_entry(out, v->test);
  if (v->end == END_DONE)
    write_result(out, v);
  else
    fprintf(out, "Undecided: %s met after %" PRIu64 " executions\n" LOG_NO_RESULT "Condition %s\n", log_limit(v->end),
            v->states.matching + v->states.failing, v->test->condition_text);
  write_time(out, v->test, v->seconds);
  write_means(out, v);
  if (candidates) fprintf(out, "Candidates %s %" PRIu64 "\n", v->test->name, v->stats.visited);
  write_hash(out, v->test);
  if (why) fputs(why, out);
  fputc('\n', out);
}

void log_write_reached(FILE *out, const struct reached *reached, const char *cost) {
  const struct litmus_test *test = reached->test;
  const struct explore_stats *stats = &reached->found.stats;
  const char *lacks = reached->machine.lacks;
  open_entry(out, test);
  if (reached->found.end == EXPLORE_DONE && !lacks) {
    write_answer(out, test, &reached->states, "", outcomes_answer(&reached->states, test->quantifier));
    /* Races are the model's matter: on a machine nothing is undefined. */
    fputs("Bad executions (0 in total):\n", out);
    write_observation(out, test, &reached->states, outcomes_observation(&reached->states));
  } else {
    fprintf(out, "Undecided: %s after %" PRIu64 " states\n" LOG_NO_RESULT "Condition %s\n",
            lacks ? lacks : explore_end_text(reached->found.end), stats->states, test->condition_text);
  }
  if (stats->deadlocks) fprintf(out, "Deadlocks %" PRIu64 "\n", stats->deadlocks);
  fprintf(out, "States-explored %" PRIu64 "\nTransitions %" PRIu64 "\n", stats->states, stats->transitions);
  fputs(cost, out);
  write_time(out, test, stats->seconds);
  write_hash(out, test);
}
