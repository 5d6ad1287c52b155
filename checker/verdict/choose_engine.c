/* SPDX-License-Identifier: MIT */
/* The search by one worker comes first, for a fixed amount of work.  Where the solver gives up, too, all executions
 * are counted after all. */
#include "checker/verdict/choose_engine.h"

#include "checker/base/clock.h"
#include "checker/solve/solve.h"
#include "checker/verdict/kernel_verdict.h"

static const double MOST_WORK = 1e11;
enum { MOST_EFFORT = 60000, MOST_CONFLICTS = 100000 };

/* A share of the time that is left since `start`, if it is limited. */
static double time_left(const struct enumerate_options *options, double start, double share) {
  if (options->timeout <= 0) return options->timeout;
  double left = options->timeout - (monotonic_seconds() - start);
  return left > 0.001 ? share * left : 0.001;
}

/* NULL: it would take long. */
static struct verdict *count_soon(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                  const struct enumerate_options *options) {
  struct enumerate_options asked = *options;
  const struct verdict_observer limit = {.most_work = MOST_WORK};
  asked.workers = 1;
  asked.effort = MOST_EFFORT;
  struct verdict *v = verdict_run(arena, test, model, &asked, &limit);
  return v->end == END_STOPPED ? NULL : v;
}

/* NULL: it has no answer. */
static struct verdict *ask_solver(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                  const struct enumerate_options *options, double start) {
  struct enumerate_options asked = *options;
  asked.workers = 1;
  asked.solve = true;
  asked.conflicts = MOST_CONFLICTS;
  asked.timeout = time_left(options, start, 0.5);
  struct verdict *v = kernel_verdict_run(arena, test, model, &asked);
  return v->end == END_CANCELLED || (v->end == END_DONE && !v->stats.gave_up) ? v : NULL;
}

struct verdict *verdict_of_either(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                  const struct enumerate_options *options) {
  if (solve_refusal(arena, test, model, false)) return verdict_run(arena, test, model, options, NULL);
  double start = monotonic_seconds();
  struct verdict *v = count_soon(arena, test, model, options);
  if (!v) v = ask_solver(arena, test, model, options, start);
  if (!v) {
    struct enumerate_options rest = *options;
    rest.timeout = time_left(options, start, 1);
    v = verdict_run(arena, test, model, &rest, NULL);
  }
  v->seconds = monotonic_seconds() - start;
  return v;
}
