/* SPDX-License-Identifier: MIT */
/* All executions of a test: limits, and the workers of one test. Each walks
 * the search tree, and takes those subtrees (units) whose numbers it draws
 * from a common counter; what they find is counted apart and joined, or
 * handed over under a lock. */
#include "checker/exec/enumerate.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "checker/base/limit.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/exec/loops/spin_fold.h"
#include "checker/exec/search/complete_candidate.h"
#include "checker/exec/unfolding/unfold_threads.h"
#include "checker/program/well_formed.h"

enum { SPLIT_BREADTH = 128, MOST_WORKERS = 256 };

/* ---- Workers ------------------------------------------------------------------- */

/* What the workers of one test share. */
struct team {
  atomic_uint_fast64_t next_unit;
  atomic_bool stopped;
  pthread_mutex_t lock;
  const struct enumerate_sink *sink;
};

struct worker {
  struct team *team;
  const struct litmus_test *test;
  const struct cat_model *model;
  struct search_control control;
  struct enumerate_sink sink;
  bool holds_lock, exhausted; /* exhausted: memory ran out */
};

static uint64_t draw_unit(void *context) {
  return atomic_fetch_add(&((struct worker *)context)->team->next_unit, 1);
}

static bool team_stopped(void *context) {
  return atomic_load(&((struct worker *)context)->team->stopped);
}

static bool hand_over(struct worker *w, const struct candidate *candidate, bool rejected,
                      const struct cat_check *check) {
  struct team *team = w->team;
  pthread_mutex_lock(&team->lock);
  w->holds_lock = true;
  bool on = !atomic_load(&team->stopped);
  if (on)
    on = rejected ? team->sink->rejected(team->sink->context, candidate, check)
                  : team->sink->consistent(team->sink->context, candidate);
  if (!on) atomic_store(&team->stopped, true);
  w->holds_lock = false;
  pthread_mutex_unlock(&team->lock);
  return on;
}

static bool shared_consistent(void *context, const struct candidate *candidate) {
  return hand_over(context, candidate, false, NULL);
}

static bool shared_rejected(void *context, const struct candidate *candidate, const struct cat_check *check) {
  return hand_over(context, candidate, true, check);
}

static void search(void *context) {
  struct worker *w = context;
  w->control.mine = draw_unit(w);
  unfold(w->test, w->model, &w->control);
  if (w->control.end != END_DONE) atomic_store(&w->team->stopped, true);
}

/* Out of memory, a worker ends, and stops the others. */
static void *work(void *context) {
  struct worker *w = context;
  if (guard_run(search, w)) return NULL;
  w->exhausted = true;
  atomic_store(&w->team->stopped, true);
  if (w->holds_lock) pthread_mutex_unlock(&w->team->lock);
  return NULL;
}

void enumerate_stats_add(struct enumerate_stats *total, const struct enumerate_stats *part) {
  total->visited += part->visited;
  total->consistent += part->consistent;
  total->merged += part->merged;
  total->structures += part->structures;
  total->cut |= part->cut;
  total->held |= part->held;
  total->sampled |= part->sampled;
  total->gave_up |= part->gave_up;
  if (part->undefined && !total->undefined) total->undefined_at = part->undefined_at;
  total->undefined |= part->undefined;
  total->cut_raised |= part->cut_raised;
  if (part->events > total->events) total->events = part->events;
  if (part->problem.source) total->problem = part->problem;
}

static enum enumerate_end run_team(struct arena *arena, unsigned count, const struct worker *model_worker,
                                   struct enumerate_stats *stats) {
  struct team team = {.lock = PTHREAD_MUTEX_INITIALIZER, .sink = model_worker->control.sink};
  atomic_init(&team.next_unit, 0);
  atomic_init(&team.stopped, false);
  struct worker *workers = ARENA_ARRAY(arena, struct worker, count);
  pthread_t *threads = ARENA_ARRAY(arena, pthread_t, count);
  unsigned started = 0;
  for (unsigned i = 0; i < count; i++) {
    struct worker *w = &workers[i];
    *w = *model_worker;
    w->team = &team;
    w->sink = (struct enumerate_sink){w, shared_consistent, team.sink->rejected ? shared_rejected : NULL, NULL, NULL};
    if (team.sink->part)
      w->sink = (struct enumerate_sink){team.sink->part(team.sink->context), team.sink->consistent, team.sink->rejected,
                                        NULL, NULL};
    w->control.sink = &w->sink;
    w->control.split_breadth = SPLIT_BREADTH;
    w->control.follows = i > 0;
    w->control.draw = draw_unit;
    w->control.stopped = team_stopped;
    w->control.context = w;
    /* The first worker runs here, once the others are under way. */
    if (i && pthread_create(&threads[started], NULL, work, w) == 0) started++;
  }
  work(&workers[0]);
  for (unsigned i = 0; i < started; i++) pthread_join(threads[i], NULL);
  pthread_mutex_destroy(&team.lock);
  enum enumerate_end end = END_DONE;
  for (unsigned i = 0; i < count; i++)
    if (workers[i].exhausted) guard_out_of_memory();
  for (unsigned i = 0; i < count; i++) {
    if (team.sink->part) team.sink->join(team.sink->context, workers[i].sink.context);
    enumerate_stats_add(stats, &workers[i].control.stats);
    if (workers[i].control.end > end) end = workers[i].control.end;
  }
  return end;
}

/* ---- Entry --------------------------------------------------------------------- */

const struct cat_model *enumerate_model(const struct litmus_test *test, const struct cat_model *model) {
  return model->plain && !program_has_tags(test->program) ? model->plain : model;
}

const struct spin_folds *enumerate_spin_folds(struct arena *arena, const struct litmus_test *test,
                                              const struct cat_model *model, const struct enumerate_options *options) {
  if (!options->fold || options->stops || options->record || options->count_spins) return NULL;
  return options->spin_folds ? options->spin_folds
                             : spin_folds_find(arena, test, enumerate_model(test, model), options->skip, NULL);
}

enum enumerate_end enumerate(const struct litmus_test *test, const struct cat_model *model,
                             const struct enumerate_options *options, const struct enumerate_sink *sink,
                             struct enumerate_stats *stats) {
  assert(program_is_well_formed(test->program));
  *stats = (struct enumerate_stats){0};
  struct arena *arena = arena_new();
  struct worker w = {.test = test, .model = enumerate_model(test, model)};
  struct enumerate_options own = *options;
  own.spin_folds = enumerate_spin_folds(arena, test, model, options);
  w.control.options = options = &own;
  w.control.sink = sink;
  w.control.deadline = deadline_in(options->timeout);
  enum enumerate_end end;
  unsigned count = options->workers < MOST_WORKERS ? options->workers : MOST_WORKERS;
  if (judge_counts_classes(test, w.model)) count = 1; /* who else has met one is not known */
  if (count > 1) {
    end = run_team(arena, count, &w, stats);
  } else {
    unfold(test, w.model, &w.control);
    enumerate_stats_add(stats, &w.control.stats);
    end = w.control.end;
  }
  arena_free(arena);
  if (end == END_TIMEOUT || end == END_MEMORY || end == END_CANCELLED) guard_note_limit();
  return end;
}
