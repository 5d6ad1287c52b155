/* SPDX-License-Identifier: MIT */
/* The search by one worker comes first, for a fixed amount of work; then the solver, which looks for states that the
 * search has not come to.  Where it gives up, too, all executions are counted after all. */
#include "checker/verdict/choose_engine.h"

#include "checker/base/clock.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/solve/solve.h"
#include "checker/verdict/kernel_verdict.h"

/* The work of about half a second; and of a tenth of that, where counts are worth little. */
enum { MOST_WORK = 120000000, LITTLE_WORK = MOST_WORK / 10, MOST_CONFLICTS = 60000 };

/* A share of the time that is left since `start`, if it is limited. */
static double time_left(const struct enumerate_options *options, double start, double share) {
  if (options->timeout <= 0) return options->timeout;
  double left = options->timeout - (monotonic_seconds() - start);
  return left > 0.001 ? share * left : 0.001;
}

static struct verdict *count_until(uint64_t work, struct arena *arena, const struct litmus_test *test,
                                   const struct cat_model *model, const struct enumerate_options *options) {
  struct enumerate_options asked = *options;
  asked.workers = 1;
  asked.most_work = work;
  return verdict_run(arena, test, model, &asked, NULL);
}

/* stats.gave_up: it would take long.  A program that is undefined is known for that as soon as one execution is, and
 * where only the answer is asked for, nobody wants to know how many there are: then it is long sooner. */
static struct verdict *count_soon(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                  const struct enumerate_options *options) {
  struct verdict *v = count_until(LITTLE_WORK, arena, test, model, options);
  bool worth_more = v->stats.gave_up && !v->bad && !options->stop_when_known;
  return worth_more ? count_until(MOST_WORK, arena, test, model, options) : v;
}

struct question {
  struct arena *arena;
  const struct verdict *counted;
  const struct cat_model *model;
  const struct enumerate_options *options;
  double start;
  struct verdict *answer;
};

/* Beginning with the states that have been counted; under -speedcheck only about the condition. */
static void ask_solver(void *context) {
  struct question *q = context;
  const struct outcomes *states = &q->counted->states;
  const int64_t **told = ARENA_ARRAY(q->arena, const int64_t *, states->count + 1);
  for (size_t i = 0; i < states->count; i++) told[i] = states->at[i].values;
  struct enumerate_options asked = *q->options;
  asked.workers = 1;
  asked.solve = true;
  asked.conflicts = MOST_CONFLICTS;
  asked.timeout = time_left(q->options, q->start, 0.5);
  if (asked.stop_when_known) {
    q->answer = verdict_run(q->arena, q->counted->test, q->model, &asked, NULL);
    return;
  }
  asked.most_states = MOST_STATES;
  asked.told = told;
  asked.told_count = states->count;
  q->answer = kernel_verdict_run(q->arena, q->counted->test, q->model, &asked);
}

struct verdict *verdict_of_either(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                  const struct enumerate_options *options) {
  if (solve_refusal(arena, test, model, false)) return verdict_run(arena, test, model, options, NULL);
  double start = monotonic_seconds();
  struct verdict *counted = count_soon(arena, test, model, options), *v = counted;
  struct question q = {arena, counted, model, options, start, NULL};
  if (counted->stats.gave_up) v = guard_run(ask_solver, &q) ? q.answer : NULL;
  if (v && v->end == END_CANCELLED) {
    counted->end = END_CANCELLED;
    v = counted;
  } else if (!v || (v != counted && (v->end != END_DONE || v->stats.gave_up))) {
    struct enumerate_options rest = *options;
    rest.timeout = time_left(options, start, 1);
    v = verdict_run(arena, test, model, &rest, NULL);
  }
  v->seconds = monotonic_seconds() - start;
  return v;
}
