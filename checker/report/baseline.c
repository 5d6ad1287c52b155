/* SPDX-License-Identifier: MIT */
/* Results read back, and compared. */
#include "checker/report/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/report/baseline_file.h"
#include "checker/report/log.h"
#include "checker/report/state_text.h"

/* ---- baselines ---- */

static int compare_results(const void *a, const void *b) {
  const struct baseline_result *s = a, *t = b;
  int order = strcmp(s->test, t->test);
  return order ? order : strcmp(s->model ? s->model : "", t->model ? t->model : "");
}

static const char *join_observations(const char *a, const char *b) {
  if (!a || !b) return a ? a : b;
  return strcmp(a, b) ? "Sometimes" : a;
}

/* Takes the states of a result and of `count` others for those of one: once for all, since there may be many. */
static void join_states(struct arena *arena, struct baseline_result *into, const struct baseline_result *others,
                        size_t count) {
  size_t total = into->state_count, at = into->state_count;
  bool known = into->states;
  for (size_t i = 0; i < count; i++) {
    total += others[i].state_count;
    known |= others[i].states != NULL;
  }
  if (!count || !known) return;
  const char **states = ARENA_ARRAY(arena, const char *, total + 1);
  for (size_t i = 0; i < into->state_count; i++) states[i] = into->states[i];
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < others[i].state_count; k++) states[at++] = others[i].states[k];
  into->states = states;
  into->state_count = state_sort(states, total);
}

/* And what else is known of both. */
static void join_facts(struct baseline_result *into, const struct baseline_result *other) {
  into->observation = join_observations(into->observation, other->observation);
  into->undefined |= other->undefined;
  into->undefined_known |= other->undefined_known;
  if (other->listed > into->listed) into->listed = other->listed;
}

/* Several logs may have been put into one file: a test that occurs twice is
 * one result, with the states of both. */
static void join_repeated(struct arena *arena, struct baseline *baseline, struct diags *diags) {
  size_t kept = 0;
  const char *example = NULL;
  for (size_t i = 0, end; i < baseline->count; i = end) {
    const struct baseline_result *first = &baseline->at[i];
    bool differ = false;
    for (end = i + 1; end < baseline->count && !compare_results(first, &baseline->at[end]); end++) {
      if (!baseline_difference(arena, first, &baseline->at[end])) continue;
      differ = true;
      if (!(first->joins && baseline->at[end].joins)) example = first->test;
    }
    struct baseline_result one = *first;
    for (size_t k = i + 1; k < end && differ; k++) join_facts(&one, &baseline->at[k]);
    if (differ) join_states(arena, &one, &baseline->at[i + 1], end - i - 1);
    baseline->at[kept++] = one;
  }
  baseline->count = kept;
  if (example)
    diag_warning(diags, NULL, (struct span){0},
                 "%s: several results of one test differ, such as those of '%s': their states are joined",
                 baseline->path, example);
}

struct baseline *baseline_read(struct arena *arena, const char *path, struct diags *diags) {
  const struct source *source = source_read(arena, path, diags);
  if (!source) return NULL;
  struct baseline *baseline = ARENA_NEW(arena, struct baseline);
  baseline->path = path;
  size_t errors = diags->errors;
  if (baseline_is_table(source))
    baseline_read_table(arena, source, baseline, diags);
  else if (baseline_is_kinds(arena, source))
    baseline_read_kinds(arena, source, baseline, diags);
  else
    baseline_read_log(arena, source, baseline, diags);
  if (!baseline->count)
    diag_fail(
        diags,
        "%s: no results: expected a log of litscope, herd or litmus, a table whose first line begins with `test`, "
        "or a kinds file",
        path);
  if (diags->errors > errors) return NULL;
  for (size_t i = 0; i < baseline->count; i++) baseline->at[i].path = path;
  qsort(baseline->at, baseline->count, sizeof *baseline->at, compare_results);
  join_repeated(arena, baseline, diags);
  return baseline;
}

/* Conditions differ more than by spaces and the brackets of locations. */
static bool differ(const char *a, const char *b) {
  static const char passed[] = " []";
  for (;; a++, b++) {
    a += strspn(a, passed);
    b += strspn(b, passed);
    if (*a != *b) return true;
    if (!*a) return false;
  }
}

/* Marks what two results of one test do not agree on, with a warning. */
static void find_conflicts(struct baseline_result *a, const struct baseline_result *b, struct diags *diags) {
  bool programs = a->hash && b->hash && strcmp(a->hash, b->hash) != 0;
  bool conditions = a->condition && b->condition && differ(a->condition, b->condition);
  if (programs) {
    diag_warning(diags, NULL, (struct span){0},
                 "'%s' has different hashes in %s and %s: these may be different programs", a->test, a->path, b->path);
    a->other_programs = true;
  }
  if (conditions) {
    diag_warning(diags, NULL, (struct span){0}, "'%s' asks '%s' in %s and '%s' in %s: their sum answers neither",
                 a->test, a->condition, a->path, b->condition, b->path);
    a->other_conditions = true;
  }
}

/* The two as one, but for the states, and without what they do not agree on. */
static void add(struct baseline_result *into, const struct baseline_result *next, struct diags *diags) {
  find_conflicts(into, next, diags);
  join_facts(into, next);
  if (!into->hash) into->hash = next->hash;
  if (!into->condition) into->condition = next->condition;
  if (into->other_programs) into->hash = NULL;
  if (into->other_conditions) into->condition = into->observation = into->asked = into->kind = NULL;
}

struct baseline *baseline_sum(struct arena *arena, const struct baseline *const *baselines, size_t count,
                              size_t *conflicts, struct diags *diags) {
  struct baseline *sum = ARENA_NEW(arena, struct baseline);
  sum->path = "the sum";
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < baselines[i]->count; k++) {
      struct baseline_result *next = vec_push(arena, sum);
      *next = baselines[i]->at[k];
      next->model = NULL;
    }
  if (sum->count) qsort(sum->at, sum->count, sizeof *sum->at, compare_results);
  size_t kept = 0;
  for (size_t i = 0, end; i < sum->count; i = end) {
    struct baseline_result one = sum->at[i];
    for (end = i + 1; end < sum->count && !strcmp(one.test, sum->at[end].test); end++) add(&one, &sum->at[end], diags);
    join_states(arena, &one, &sum->at[i + 1], end - i - 1);
    sum->at[kept++] = one;
  }
  sum->count = kept;
  *conflicts = 0;
  for (size_t i = 0; i < kept; i++) *conflicts += sum->at[i].other_programs || sum->at[i].other_conditions;
  return sum;
}

const struct baseline_result *baseline_find(const struct baseline *baseline, const char *test, const char *model) {
  const struct baseline_result *found = NULL;
  for (size_t low = 0, high = baseline->count; low < high;) {
    size_t middle = (low + high) / 2;
    if (strcmp(baseline->at[middle].test, test) < 0)
      low = middle + 1;
    else
      high = middle;
    if (low == high && low < baseline->count) found = &baseline->at[low];
  }
  for (; found && found < baseline->at + baseline->count && !strcmp(found->test, test); found++)
    if (!found->model || !model || !strcmp(found->model, model)) return found;
  return NULL;
}

void baseline_set_states(struct arena *arena, struct baseline_result *result, const struct litmus_test *test,
                         const struct outcomes *outcomes) {
  struct program program = *test->program;
  struct litmus_test decimal = *test;
  program.hexadecimal = false; /* of narrow types it does not say the sign */
  decimal.program = &program;
  result->states = ARENA_ARRAY(arena, const char *, outcomes->count + 1);
  for (size_t i = 0; i < outcomes->count; i++) {
    const char *text = log_state_text(arena, &decimal, outcomes->at[i].values);
    result->states[result->state_count++] = state_normalise(arena, text, strlen(text));
  }
  result->state_count = state_sort(result->states, result->state_count);
}

struct baseline_result baseline_from_verdict(struct arena *arena, const struct verdict *v) {
  struct baseline_result result = {
      .test = v->test->name, .model = v->model, .undefined = v->bad > 0, .undefined_known = true};
  if (!verdict_lists_all(v)) result.listed = v->solved ? LISTED_SOLVED : LISTED_SETTLING;
  result.observation = log_observation(v);
  baseline_set_states(arena, &result, v->test, &v->states);
  return result;
}

/* ---- differences ---- */

/* May it have states of the other that it does not list? */
static bool may_have_more(const struct baseline_result *result, const struct baseline_result *other) {
  return result->listed == LISTED_SOLVED || (result->listed == LISTED_SETTLING && other->listed != LISTED_SETTLING);
}

static void print_states(const struct baseline_result *before, const struct baseline_result *after, FILE *out) {
  size_t i = 0, j = 0;
  while (i < before->state_count || j < after->state_count) {
    int order = i == before->state_count  ? 1
                : j == after->state_count ? -1
                                          : strcmp(before->states[i], after->states[j]);
    if (order < 0 && !may_have_more(after, before)) fprintf(out, "  - %s\n", before->states[i]);
    if (order > 0 && !may_have_more(before, after)) fprintf(out, "  + %s\n", after->states[j]);
    i += order <= 0;
    j += order >= 0;
  }
}

/* The result with only those parts of its states that the other one has too. */
static struct baseline_result project(struct arena *arena, const struct baseline_result *result, const char *observed) {
  struct baseline_result projected = {.states = ARENA_ARRAY(arena, const char *, result->state_count),
                                      .listed = result->listed};
  for (size_t i = 0; i < result->state_count; i++)
    projected.states[i] = state_project(arena, result->states[i], observed);
  projected.state_count = state_sort(projected.states, result->state_count);
  return projected;
}

static bool same_states(const struct baseline_result *a, const struct baseline_result *b) {
  bool same = a->state_count == b->state_count;
  for (size_t i = 0; same && i < a->state_count; i++) same = !strcmp(a->states[i], b->states[i]);
  return same;
}

static void compare_states(struct arena *arena, const struct baseline_result *before,
                           const struct baseline_result *after, FILE *out) {
  if (!before->states || !after->states || same_states(before, after)) return;
  const char *was = state_observed(arena, before->states, before->state_count);
  const char *now = state_observed(arena, after->states, after->state_count);
  if (!was || !now || !strcmp(was, now)) {
    print_states(before, after, out);
    return;
  }
  fprintf(out, "  observes %s was %s\n", *now ? now : "nothing,", *was ? was : "nothing");
  struct baseline_result a = project(arena, before, now), b = project(arena, after, was);
  print_states(&a, &b, out);
}

/* What a kinds file demands, and an observation that does not fit. */
static bool is_violated(const char *kind, const char *observation) {
  if (!strcmp(kind, "Required")) return strcmp(observation, "Always") != 0;
  return !strcmp(observation, "Never") == !strcmp(kind, "Allowed");
}

static void compare_answers(const struct baseline_result *before, const struct baseline_result *after, FILE *out) {
  if (before->kind && after->kind && strcmp(before->kind, after->kind) != 0)
    fprintf(out, "  %s, was %s\n", after->kind, before->kind);
  if (before->kind && after->observation && is_violated(before->kind, after->observation))
    fprintf(out, "  %s, expected %s\n", after->observation, before->kind);
  if (after->kind && before->observation && is_violated(after->kind, before->observation))
    fprintf(out, "  expected %s, was %s\n", after->kind, before->observation);
  if (before->observation && after->observation && strcmp(before->observation, after->observation) != 0)
    fprintf(out, "  %s, was %s\n", after->observation, before->observation);
  if (before->undefined_known && after->undefined_known && before->undefined != after->undefined)
    fprintf(out, "  %s undefined behaviour, was %s\n", after->undefined ? "with" : "without",
            before->undefined ? "with" : "without");
}

const char *baseline_difference(struct arena *arena, const struct baseline_result *before,
                                const struct baseline_result *after) {
  struct text text = text_new();
  compare_states(arena, before, after, text.out);
  compare_answers(before, after, text.out);
  const char *difference = text_keep(&text, arena);
  return *difference ? difference : NULL;
}
