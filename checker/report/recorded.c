/* SPDX-License-Identifier: MIT */
/* Results read back, and compared. */
#include "checker/report/recorded.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/report/log.h"
#include "checker/report/record_file.h"
#include "checker/report/state.h"

/* ---- lines ---- */

bool lines_next(struct lines *lines, struct line *line) {
  const struct source *source = lines->source;
  if (!lines->at && source->size >= 3 && !memcmp(source->text, "\xef\xbb\xbf", 3)) lines->at = 3;
  if (lines->at >= source->size) return false;
  const char *text = source->text + lines->at;
  const char *newline = memchr(text, '\n', source->size - lines->at);
  *line = (struct line){text, newline ? (size_t)(newline - text) : source->size - lines->at};
  lines->at += line->length + 1;
  while (line->length && line->text[line->length - 1] == '\r') line->length--;
  return true;
}

bool line_begins(const struct line *line, const char *prefix) {
  size_t length = strlen(prefix);
  return line->length >= length && !memcmp(line->text, prefix, length);
}

const char *line_word(struct arena *arena, const struct line *line, int number) {
  size_t at = 0;
  for (int i = 0;; i++) {
    while (at < line->length && strchr(" \t", line->text[at])) at++;
    size_t start = at;
    while (at < line->length && !strchr(" \t", line->text[at])) at++;
    if (i == number || at == start) return arena_strndup(arena, line->text + start, at - start);
  }
}

const char *record_test_name(struct arena *arena, const char *name) {
  size_t length = strlen(name), suffix = strlen(".litmus");
  bool file = length > suffix && !strcmp(name + length - suffix, ".litmus");
  const char *slash = file ? strrchr(name, '/') : NULL;
  const char *start = slash ? slash + 1 : name;
  return arena_strndup(arena, start, strlen(start) - (file ? suffix : 0));
}

/* ---- recordings ---- */

static int compare_recorded(const void *a, const void *b) {
  const struct recorded *s = a, *t = b;
  int order = strcmp(s->test, t->test);
  return order ? order : strcmp(s->model ? s->model : "", t->model ? t->model : "");
}

static const char *join_observations(const char *a, const char *b) {
  if (!a || !b) return a ? a : b;
  return strcmp(a, b) ? "Sometimes" : a;
}

/* Takes both results for one. */
static void join(struct arena *arena, struct recorded *into, const struct recorded *other) {
  size_t count = into->state_count + other->state_count;
  const char **states = ARENA_ARRAY(arena, const char *, count + 1);
  for (size_t i = 0; i < count; i++)
    states[i] = i < into->state_count ? into->states[i] : other->states[i - into->state_count];
  if (into->states || other->states) into->states = states;
  into->state_count = state_sort(states, count);
  into->observation = join_observations(into->observation, other->observation);
  into->undefined |= other->undefined;
  into->undefined_known |= other->undefined_known;
}

/* Several logs may have been put into one file: a test that occurs twice is
 * one result, with the states of both. */
static void join_repeated(struct arena *arena, struct recording *recording, struct diags *diags) {
  size_t kept = 0, differing = 0;
  const char *example = NULL;
  for (size_t i = 0; i < recording->count; i++) {
    struct recorded *last = kept ? &recording->at[kept - 1] : NULL, *next = &recording->at[i];
    if (!last || compare_recorded(last, next) != 0) {
      recording->at[kept++] = *next;
    } else if (recorded_difference(arena, last, next)) {
      if (!(last->joins && next->joins)) differing++, example = next->test;
      join(arena, last, next);
    }
  }
  recording->count = kept;
  if (differing)
    diag_warning(diags, NULL, (struct span){0},
                 "%s: has several results of one test that differ, such as those of '%s': their states are joined",
                 recording->path, example);
}

struct recording *recording_read(struct arena *arena, const char *path, struct diags *diags) {
  const struct source *source = source_read(arena, path, diags);
  if (!source) return NULL;
  struct recording *recording = ARENA_NEW(arena, struct recording);
  recording->path = path;
  size_t errors = diags->errors;
  if (record_is_table(source))
    record_read_table(arena, source, recording, diags);
  else if (record_is_kinds(arena, source))
    record_read_kinds(arena, source, recording, diags);
  else
    record_read_log(arena, source, recording, diags);
  if (!recording->count)
    diag_error(
        diags, NULL, (struct span){0},
        "%s: no results: expected a log of litscope, herd or litmus, a table whose first line begins with `test`, "
        "or a kinds file",
        path);
  if (diags->errors > errors) return NULL;
  qsort(recording->at, recording->count, sizeof *recording->at, compare_recorded);
  join_repeated(arena, recording, diags);
  return recording;
}

struct recording *recording_sum(struct arena *arena, const struct recording *const *recordings, size_t count) {
  struct recording *sum = ARENA_NEW(arena, struct recording);
  sum->path = "the sum";
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < recordings[i]->count; k++) {
      struct recorded *next = vec_push(arena, sum);
      *next = recordings[i]->at[k];
      next->model = NULL;
    }
  if (sum->count) qsort(sum->at, sum->count, sizeof *sum->at, compare_recorded);
  size_t kept = 0;
  for (size_t i = 0; i < sum->count; i++) {
    struct recorded *last = kept ? &sum->at[kept - 1] : NULL, *next = &sum->at[i];
    if (!last || strcmp(last->test, next->test) != 0) {
      sum->at[kept++] = *next;
      continue;
    }
    join(arena, last, next);
    if (last->hash && next->hash && strcmp(last->hash, next->hash) != 0) last->hash = NULL;
  }
  sum->count = kept;
  return sum;
}

const struct recorded *recording_find(const struct recording *recording, const char *test, const char *model) {
  const struct recorded *found = NULL;
  for (size_t low = 0, high = recording->count; low < high;) {
    size_t middle = (low + high) / 2;
    if (strcmp(recording->at[middle].test, test) < 0)
      low = middle + 1;
    else
      high = middle;
    if (low == high && low < recording->count) found = &recording->at[low];
  }
  for (; found && found < recording->at + recording->count && !strcmp(found->test, test); found++)
    if (!found->model || !model || !strcmp(found->model, model)) return found;
  return NULL;
}

void recorded_set_states(struct arena *arena, struct recorded *result, const struct litmus_test *test,
                         const struct outcomes *outcomes) {
  result->states = ARENA_ARRAY(arena, const char *, outcomes->count + 1);
  for (size_t i = 0; i < outcomes->count; i++) {
    struct text text;
    text_open(&text);
    log_write_state(text.out, test, outcomes->at[i].values);
    text_end(&text);
    result->states[result->state_count++] = state_normalise(arena, text.at, text.size);
    text_free(&text);
  }
  result->state_count = state_sort(result->states, result->state_count);
}

struct recorded recorded_from_verdict(struct arena *arena, const struct verdict *v) {
  struct recorded result = {.test = v->test->name, .model = v->model, .undefined = v->bad > 0, .undefined_known = true};
  result.observation = log_observation(v);
  recorded_set_states(arena, &result, v->test, &v->states);
  return result;
}

/* ---- differences ---- */

static void print_states(const struct recorded *before, const struct recorded *after, FILE *out) {
  size_t i = 0, j = 0;
  while (i < before->state_count || j < after->state_count) {
    int order = i == before->state_count  ? 1
                : j == after->state_count ? -1
                                          : strcmp(before->states[i], after->states[j]);
    if (order < 0)
      fprintf(out, "  - %s\n", before->states[i++]);
    else if (order > 0)
      fprintf(out, "  + %s\n", after->states[j++]);
    else
      i++, j++;
  }
}

/* The result with only those parts of its states that the other one has too. */
static struct recorded project(struct arena *arena, const struct recorded *result, const char *observed) {
  struct recorded projected = {.states = ARENA_ARRAY(arena, const char *, result->state_count)};
  for (size_t i = 0; i < result->state_count; i++)
    projected.states[i] = state_project(arena, result->states[i], observed);
  projected.state_count = state_sort(projected.states, result->state_count);
  return projected;
}

static bool same_states(const struct recorded *a, const struct recorded *b) {
  bool same = a->state_count == b->state_count;
  for (size_t i = 0; same && i < a->state_count; i++) same = !strcmp(a->states[i], b->states[i]);
  return same;
}

static void compare_states(struct arena *arena, const struct recorded *before, const struct recorded *after,
                           FILE *out) {
  if (!before->states || !after->states || same_states(before, after)) return;
  const char *was = state_observed(arena, before->states, before->state_count);
  const char *now = state_observed(arena, after->states, after->state_count);
  if (!was || !now || !strcmp(was, now)) {
    print_states(before, after, out);
    return;
  }
  fprintf(out, "  observes %s was %s\n", *now ? now : "nothing,", *was ? was : "nothing");
  struct recorded a = project(arena, before, now), b = project(arena, after, was);
  print_states(&a, &b, out);
}

/* What a kinds file demands, and an observation that does not fit. */
static bool is_violated(const char *kind, const char *observation) {
  if (!strcmp(kind, "Required")) return strcmp(observation, "Always") != 0;
  return !strcmp(observation, "Never") == !strcmp(kind, "Allowed");
}

static void compare_answers(const struct recorded *before, const struct recorded *after, FILE *out) {
  if (before->kind && after->kind && strcmp(before->kind, after->kind) != 0)
    fprintf(out, "  %s, was %s\n", after->kind, before->kind);
  if (before->kind && after->observation && is_violated(before->kind, after->observation))
    fprintf(out, "  %s, but is to be %s\n", after->observation, before->kind);
  if (after->kind && before->observation && is_violated(after->kind, before->observation))
    fprintf(out, "  is to be %s, was %s\n", after->kind, before->observation);
  if (before->observation && after->observation && strcmp(before->observation, after->observation) != 0)
    fprintf(out, "  %s, was %s\n", after->observation, before->observation);
  if (before->undefined_known && after->undefined_known && before->undefined != after->undefined)
    fprintf(out, "  %s undefined behaviour, was %s\n", after->undefined ? "with" : "without",
            before->undefined ? "with" : "without");
}

const char *recorded_difference(struct arena *arena, const struct recorded *before, const struct recorded *after) {
  struct text text;
  text_open(&text);
  compare_states(arena, before, after, text.out);
  compare_answers(before, after, text.out);
  const char *difference = text_keep(&text, arena);
  return *difference ? difference : NULL;
}
