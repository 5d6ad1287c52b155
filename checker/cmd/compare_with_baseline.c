/* SPDX-License-Identifier: MIT */
/* Comparison with recorded results: each result of a run with the one recorded
 * for its test, and at the end the recorded tests that no result was compared
 * with. */
#include "checker/cmd/compare_with_baseline.h"

#include <string.h>

#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"
#include "checker/cmd/interrupts.h"

bool expect_load(struct invocation *call, struct expectation *expected, struct diags *diags) {
  *expected = (struct expectation){0};
  const char *path = option_text(call, OPTION_EXPECT);
  if (!path) return true;
  tests_limit_reading(call, NULL);
  expected->baseline = baseline_read(call->arena, path, diags);
  guard_end_patience();
  if (expected->baseline) expected->met = ARENA_ARRAY(call->arena, atomic_bool, expected->baseline->count);
  return expected->baseline;
}

const char *expect_compare(const struct expectation *expected, const struct baseline_result *found, const char *file,
                           struct test_output *output) {
  const struct baseline *baseline = expected->baseline;
  if (!baseline) return NULL;
  const struct baseline_result *before = baseline_find(baseline, found->test, found->model);
  if (!before) {
    fprintf(output->err, "%s: warning: %s has no result for %s under %s\n", file, baseline->path, found->test,
            found->model);
    return NULL;
  }
  atomic_store_explicit(&expected->met[before - baseline->at], true, memory_order_relaxed);
  const char *difference = baseline_difference(output->arena, before, found);
  if (!difference) return NULL;
  fprintf(output->err, "%s: %s under %s is not as expected\n%s", file, found->test, found->model, difference);
  output->status = status_join(output->status, STATUS_DIFFERS);
  return difference;
}

void expect_note(const struct expectation *expected, const struct results *results) {
  const struct baseline *baseline = expected->baseline;
  for (size_t i = 0; baseline && i < results->count; i++) {
    const struct baseline_result *before = baseline_find(baseline, results->at[i].test, results->at[i].subject);
    if (before) atomic_store_explicit(&expected->met[before - baseline->at], true, memory_order_relaxed);
  }
}

/* Results of one test stand side by side: the end of those of `at`. */
static size_t end_of_test(const struct baseline *baseline, size_t at) {
  size_t end = at + 1;
  while (end < baseline->count && !strcmp(baseline->at[end].test, baseline->at[at].test)) end++;
  return end;
}

static bool any_met(const struct expectation *expected, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (atomic_load_explicit(&expected->met[i], memory_order_relaxed)) return true;
  return false;
}

/* Some tests were left out on purpose. */
static bool has_selection(const struct invocation *call) {
  return option_given(call, OPTION_NAMES) || option_given(call, OPTION_KINDS) || option_given(call, OPTION_CONDS) ||
         option_given(call, OPTION_SELECT);
}

void expect_warn_missing(const struct invocation *call, const struct expectation *expected) {
  enum { NAMED = 5 };
  const struct baseline *baseline = expected->baseline;
  if (!baseline || has_selection(call) || option_on(call, OPTION_QUIET)) return;
  const char *names = "";
  size_t missing = 0;
  for (size_t i = 0, end; i < baseline->count; i = end) {
    end = end_of_test(baseline, i);
    if (any_met(expected, i, end)) continue;
    if (missing < NAMED) names = arena_printf(call->arena, "%s%s%s", names, missing ? ", " : "", baseline->at[i].test);
    missing++;
  }
  struct diags diags = diags_new(call->arena);
  if (missing)
    diag_warning(&diags, NULL, (struct span){0}, "%s: expected, but without a result in this run: %s%s", baseline->path,
                 names, missing > NAMED ? arena_printf(call->arena, ", and %zu more", missing - NAMED) : "");
  diags_report(&diags);
}
