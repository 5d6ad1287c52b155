/* SPDX-License-Identifier: MIT */
/* Logs as herd7, litmus7, the 2015 herd and litscope write them.
 *
 *   log     = { entry | verify | model | any other line }
 *   entry   = "Test" NAME [KIND]
 *             { other } ("States" [N] | "Histogram" ["(" N "states" ")"])
 *             { STATE } ["Loop"] VERDICT
 *             { "Positive:" N [","] "Negative:" N | "Observation" NAME WORD N N | "Flag" NAME
 *             | "Bad executions (" N "in total)" ... | "Hash=" DIGITS | other }
 *   model   = ("Model" | "Mapping") NAME              of the entry that follows
 *   verify  = "Verify" NAME MAPPING ANSWER
 *
 * Whatever else stands between is ignored: warnings of a tool whose two
 * streams went to one file, pictures, what litmus7 says of its machine.
 * Several logs may stand in one file.  An entry without a verdict broke off
 * and is not a result.
 */
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/report/baseline_file.h"
#include "checker/report/log.h"
#include "checker/report/state_text.h"

enum phase { PHASE_HEAD, PHASE_STATES, PHASE_TAIL };

struct reader {
  struct arena *arena;
  const struct source *source;
  struct baseline *baseline;
  struct diags *diags;
  bool open;
  struct baseline_result result;
  const char *kind; /* "": none */
  struct span head; /* its `Test` line */
  enum phase phase;
  VEC(const char *) states;
  uint64_t stated; /* how many states there are to be */
  bool counted;    /* that is said */
  bool hardware;   /* a histogram: what was seen, not what can be */
  bool witnessed;
  uint64_t positive, negative;
  const char *model; /* of the next entry */
};

static const char *line_text(struct reader *r, const struct text_line *line) {
  return arena_strndup(r->arena, line->text, line->length);
}

static uint64_t number_word(struct reader *r, const struct text_line *line, int number) {
  const char *text = line_word(r->arena, line, number);
  return strtoull(text + (*text == '('), NULL, 10);
}

/* ---- an entry ends ---- */

/* Old logs have no Observation. */
static void observe(struct reader *r) {
  if (r->result.observation || !r->witnessed) return;
  bool negative = text_begins(r->kind, "Forbid");
  const struct outcomes told = {.matching = negative ? r->negative : r->positive,
                                .failing = negative ? r->positive : r->negative};
  r->result.observation = outcomes_observation(&told);
}

static void set_states(struct reader *r) {
  bool empty = !r->states.count && r->counted && r->stated == 1; /* its blank line got lost */
  if (empty) *vec_push(r->arena, &r->states) = "";
  if (r->counted && r->stated != r->states.count)
    diag_warning(r->diags, r->source, r->head, "the result of '%s' declares %llu states but lists %zu", r->result.test,
                 (unsigned long long)r->stated, r->states.count);
  r->result.states = r->states.count ? r->states.at : ARENA_ARRAY(r->arena, const char *, 1);
  r->result.state_count = state_sort(r->states.at, r->states.count);
}

static void end_entry(struct reader *r) {
  if (!r->open) return;
  r->open = false;
  bool undecided = r->phase == PHASE_HEAD && r->result.observation;
  if (r->phase == PHASE_TAIL) {
    observe(r);
    set_states(r);
    r->result.undefined_known |= !r->hardware;
  } else if (!undecided) {
    if (*r->kind || r->phase == PHASE_STATES)
      diag_warning(r->diags, r->source, r->head, "the result of '%s' has no verdict and is left out", r->result.test);
    return;
  }
  r->result.joins = r->hardware;
  *vec_push(r->arena, r->baseline) = r->result;
}

/* ---- its lines ---- */

static bool is_verdict(struct reader *r, const struct text_line *line) {
  static const char *const words[] = {"Ok", "No", "Undef", "Undefined", "Succeeded", "Failed", "??"};
  const char *first = line_word(r->arena, line, 0);
  if (!strcmp(first, "Loop")) first = line_word(r->arena, line, 1);
  return text_index(first, words, ARRAY_COUNT(words)) >= 0;
}

static void read_head_line(struct reader *r, const struct text_line *line) {
  const char *first = line_word(r->arena, line, 0);
  r->hardware = !strcmp(first, "Histogram");
  if (!strcmp(first, "Undecided:")) {
    r->result.observation = "Undecided";
  } else if (!strcmp(first, "States") || r->hardware) {
    r->phase = PHASE_STATES;
    r->counted = *line_word(r->arena, line, 1) != '\0';
    r->stated = number_word(r, line, 1);
  } else if (line_begins(line, "Fatal") && !r->result.observation) {
    r->open = false;
  }
}

static void read_state_line(struct reader *r, const struct text_line *line) {
  if (is_verdict(r, line)) {
    r->phase = PHASE_TAIL;
    if (memmem(line->text, line->length, "Undef", strlen("Undef"))) r->result.undefined = true;
    return;
  }
  bool blank = !*line_word(r->arena, line, 0);
  if (blank && (r->states.count || (r->counted && !r->stated))) return;
  const char *state = state_normalise(r->arena, line->text, line->length);
  if (state) *vec_push(r->arena, &r->states) = state;
}

/* Without the word before it, and litmus7's `is NOT validated` after. */
static const char *condition_text(struct reader *r, const struct text_line *line) {
  const char *text = line_text(r, line) + strlen("Condition ");
  size_t length = strlen(text);
  static const char *const ends[] = {" is validated", " is NOT validated", " is not validated"};
  for (size_t i = 0; i < ARRAY_COUNT(ends); i++) {
    size_t end = strlen(ends[i]);
    if (length > end && !strcmp(text + length - end, ends[i])) return arena_strndup(r->arena, text, length - end);
  }
  return text;
}

static void read_tail_line(struct reader *r, const struct text_line *line) {
  if (line_begins(line, "Positive:")) {
    r->positive = number_word(r, line, 1);
    r->negative = number_word(r, line, 3);
    r->witnessed = true;
  } else if (line_begins(line, "Observation ")) {
    if (!strcmp(baseline_test_name(r->arena, line_word(r->arena, line, 1)), r->result.test))
      r->result.observation = line_word(r->arena, line, 2);
  } else if (line_begins(line, "Bad executions (")) {
    r->result.undefined |= number_word(r, line, 2) > 0;
    r->result.undefined_known = true;
  } else if (line_begins(line, "Flag ")) {
    r->result.undefined |= flag_means_undefined(line_text(r, line) + strlen("Flag "));
  } else if (line_begins(line, "Settled ")) {
    r->result.listed = LISTED_SETTLING;
  } else if (line_begins(line, "Solved ")) {
    bool all = memmem(line->text, line->length, LOG_ALL_STATES, strlen(LOG_ALL_STATES));
    r->result.listed = all ? LISTED_ALL : LISTED_SOLVED;
  } else if (line_begins(line, "Condition ")) {
    r->result.condition = condition_text(r, line);
  } else if (line_begins(line, "Hash=")) {
    r->result.hash = line_word(r->arena, line, 0) + strlen("Hash=");
  }
}

/* ---- between entries ---- */

/* A line `Test NAME KIND`, or without a kind. */
static bool begins_entry(struct reader *r, const struct text_line *line) {
  static const char *const kinds[] = {"Allowed", "Forbidden", "Required", "Allow", "Forbid",    "Require",
                                      "Final",   "Unknown",   "???",      "---",   "Undefined", ""};
  if (!line_begins(line, "Test ") || !*line_word(r->arena, line, 1) || *line_word(r->arena, line, 3)) return false;
  const char *kind = line_word(r->arena, line, 2);
  return text_index(kind, kinds, ARRAY_COUNT(kinds)) >= 0;
}

static void begin_entry(struct reader *r, const struct text_line *line) {
  r->open = true;
  r->result =
      (struct baseline_result){.test = baseline_test_name(r->arena, line_word(r->arena, line, 1)), .model = r->model};
  r->kind = line_word(r->arena, line, 2);
  if (*r->kind) r->result.asked = r->kind;
  r->head = (struct span){(uint32_t)(line->text - r->source->text), (uint32_t)line->length};
  r->phase = PHASE_HEAD;
  r->states.at = NULL;
  r->states.count = r->states.room = 0;
  r->witnessed = false;
}

/* `Model NAME`: the model of the entry that begins on the next line, else NULL. */
static const char *model_of(struct reader *r, const struct text_line *line) {
  bool named = line_begins(line, "Model ") || line_begins(line, "Mapping ");
  return named && !*line_word(r->arena, line, 2) ? line_word(r->arena, line, 1) : NULL;
}

/* The line without the dots of herd's -v, one for each candidate. */
static struct text_line without_dots(const struct text_line *line) {
  size_t dots = 0;
  while (dots < line->length && line->text[dots] == '.') dots++;
  return (struct text_line){line->text + dots, line->length - dots};
}

static void read_line(struct reader *r, const struct text_line *line) {
  struct text_line head = without_dots(line);
  if (begins_entry(r, &head)) {
    end_entry(r);
    begin_entry(r, &head);
  } else if (line_begins(line, "Verify ")) {
    end_entry(r);
    *vec_push(r->arena, r->baseline) = (struct baseline_result){.test = line_word(r->arena, line, 1),
                                                                .model = line_word(r->arena, line, 2),
                                                                .observation = line_word(r->arena, line, 3)};
  } else if (r->open && r->phase == PHASE_HEAD) {
    read_head_line(r, line);
  } else if (r->open && r->phase == PHASE_STATES) {
    read_state_line(r, line);
  } else if (r->open) {
    read_tail_line(r, line);
  }
  r->model = model_of(r, line);
}

void baseline_read_log(struct arena *arena, const struct source *source, struct baseline *baseline,
                       struct diags *diags) {
  struct reader reader = {.arena = arena, .source = source, .baseline = baseline, .diags = diags};
  struct cursor lines = cursor_at_start(source);
  for (struct text_line line; cursor_next_line(&lines, &line);) read_line(&reader, &line);
  end_entry(&reader);
}
