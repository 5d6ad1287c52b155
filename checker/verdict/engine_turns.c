/* SPDX-License-Identifier: MIT */
/* The search's turns grow faster than the solver's, which begins anew each time: where only the search comes to an
 * end, the solver's share of the time gets smaller. */
#include "checker/verdict/engine_turns.h"

#include "checker/base/clock.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/solve/solve.h"

enum {
  LITTLE_WORK = WORK_OF_COUNTING / 10,
  WORK_OF_CONFLICT = 2000,
  LONGER_SEARCH = 8,
  LONGER_SOLVE = 4,
  MOST_TURNS = 3 /* of the solver, where several workers are to count: they cannot stop and go on */
};

static uint64_t ask(void *context, uint64_t work) {
  struct engine_turns *t = context;
  if (t->end == ENGINE_ANSWERED) return 0;
  if (work < WORK_OF_COUNTING && t->counts && t->counts(t->context)) return WORK_OF_COUNTING;
  t->conflicts = t->turns++ ? LONGER_SOLVE * t->conflicts : work / WORK_OF_CONFLICT;
  t->end = t->solve(t->context, t->conflicts);
  if (t->end == ENGINE_ANSWERED) return 0;
  if (t->end == ENGINE_GAVE_UP && t->turns != t->most) return LONGER_SEARCH * work;
  return t->most ? 0 : UINT64_MAX;
}

void engines_take_turns(struct enumerate_options *search, struct engine_turns *turns) {
  search->most_work = LITTLE_WORK;
  search->longer = ask;
  search->longer_context = turns;
}

double engine_time_left(double limit, double start) {
  double left = limit - (monotonic_seconds() - start);
  return limit <= 0 ? limit : left > 0 ? left : 1e-9;
}

/* ---- A verdict ---- */

struct question {
  struct arena *arena;
  const struct litmus_test *test;
  const struct cat_model *model;
  const struct enumerate_options *options;
  solver_verdict *solved;
  double start;
  const struct verdict *counted; /* so far */
  uint64_t conflicts;
  struct verdict *answer; /* of the solver */
};

static void note_counting(void *context, const struct verdict *counting) {
  struct question *q = context;
  q->counted = counting;
}

/* A program that is undefined is known for that as soon as one execution is, and where only the answer is asked for,
 * nobody wants to know how many there are. */
static bool counts(void *context) {
  const struct question *q = context;
  return !q->counted->bad && !q->options->stop_when_known;
}

/* Beginning with the states that have been counted. */
static void ask_solver(void *context) {
  struct question *q = context;
  const struct outcomes *states = &q->counted->states;
  const int64_t **told = ARENA_ARRAY(q->arena, const int64_t *, states->count + 1);
  for (size_t i = 0; i < states->count; i++) told[i] = states->at[i].values;
  struct enumerate_options asked = *q->options;
  asked.workers = 1;
  asked.solve = true;
  asked.conflicts = q->conflicts;
  asked.timeout = engine_time_left(q->options->timeout, q->start) / 2;
  asked.told = asked.stop_when_known ? NULL : told;
  asked.told_count = asked.told ? states->count : 0;
  q->answer = q->solved(q->arena, q->test, q->model, &asked);
}

static enum engine_end solve_soon(void *context, uint64_t conflicts) {
  struct question *q = context;
  q->conflicts = conflicts;
  if (!guard_run(ask_solver, q)) return ENGINE_CANNOT;
  if (q->answer->stats.gave_up) return ENGINE_GAVE_UP;
  return q->answer->end == END_DONE || q->answer->end == END_CANCELLED ? ENGINE_ANSWERED : ENGINE_CANNOT;
}

struct verdict *verdict_in_turns(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                 const struct enumerate_options *options, solver_verdict *solved) {
  if (solve_refusal(arena, test, model, false)) return verdict_run(arena, test, model, options, NULL);
  struct question q = {arena, test, model, options, solved, monotonic_seconds(), NULL, 0, NULL};
  struct engine_turns turns = {.context = &q, .counts = counts, .solve = solve_soon};
  turns.most = options->workers > 1 ? MOST_TURNS : 0;
  struct verdict_observer observer = {.context = &q, .begun = note_counting};
  struct enumerate_options asked = *options;
  asked.workers = 1;
  engines_take_turns(&asked, &turns);
  struct verdict *v = verdict_run(arena, test, model, &asked, &observer);
  if (turns.end == ENGINE_ANSWERED && q.answer->end == END_CANCELLED) {
    v->end = END_CANCELLED; /* with what is counted */
  } else if (turns.end == ENGINE_ANSWERED) {
    v = q.answer;
  } else if (v->stats.gave_up) {
    asked = *options;
    asked.timeout = engine_time_left(options->timeout, q.start);
    v = verdict_run(arena, test, model, &asked, NULL);
  }
  v->seconds = monotonic_seconds() - q.start;
  return v;
}
