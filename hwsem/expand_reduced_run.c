/* SPDX-License-Identifier: MIT */
/* Step by step: the machine takes the step that the reduced run has, and others that bring it nearer to the state
 * which that has then.  Near is what differs in few bytes. */
#include "hwsem/expand_reduced_run.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/vec.h"

struct longer {
  const struct machine *machine;
  struct arena *arena;
  const void *initial;
  VEC(struct explore_step) steps;
};

static const void *end_of(const struct longer *run) {
  return run->steps.count ? run->steps.at[run->steps.count - 1].after : run->initial;
}

static void go(struct longer *run, struct step step, const void *to) {
  const void *from = end_of(run);
  *vec_push(run->arena, &run->steps) = (struct explore_step){.step = step, .before = from, .after = to};
}

static bool is_same(struct step a, struct step b) {
  return a.code == b.code && a.agent == b.agent && a.detail == b.detail;
}

static bool is_environment(const struct machine *m, struct step step) {
  return m->step_kind(m, step) == STEP_ENVIRONMENT;
}

static size_t distance(const struct machine *m, const void *a, const void *b) {
  const unsigned char *x = a, *y = b;
  size_t count = 0;
  for (size_t i = 0; i < m->state_size; i++) count += x[i] != y[i];
  return count;
}

/* The successor that is nearest to a state, of those by one step where one is named. */
struct nearest {
  struct successor_sink sink;
  const struct machine *machine;
  const void *to;
  const struct step *named;
  bool found;
  size_t distance;
  struct step step;
  void *state;
};

static bool keep_nearest(struct successor_sink *sink, struct step step, const void *next) {
  struct nearest *n = (struct nearest *)sink;
  if (n->named && !is_same(*n->named, step)) return true;
  size_t away = distance(n->machine, next, n->to);
  if (n->found && away >= n->distance) return true;
  n->found = true;
  n->distance = away;
  n->step = step;
  memcpy(n->state, next, n->machine->state_size);
  return true;
}

static struct nearest nearest_of(const struct longer *run, const struct step *named, const void *to) {
  const struct machine *m = run->machine;
  struct nearest n = {.sink = {.emit = keep_nearest}, .machine = m, .to = to, .named = named};
  n.state = ARENA_ARRAY(run->arena, uint64_t, m->state_size / sizeof(uint64_t) + 1);
  m->successors(m, end_of(run), &n.sink);
  return n;
}

/* The environment's steps from where a run ends. */
struct environment_steps {
  struct successor_sink sink;
  struct longer *run;
  VEC(struct explore_step) steps;
};

static bool keep_environment(struct successor_sink *sink, struct step step, const void *next) {
  struct environment_steps *around = (struct environment_steps *)sink;
  size_t size = around->run->machine->state_size;
  if (!is_environment(around->run->machine, step)) return true;
  void *kept = ARENA_ARRAY(around->run->arena, uint64_t, size / sizeof(uint64_t) + 1);
  memcpy(kept, next, size);
  *vec_push(around->run->arena, &around->steps) = (struct explore_step){.step = step, .after = kept};
  return true;
}

static struct environment_steps environment_steps(struct longer *run) {
  struct environment_steps around = {.sink = {.emit = keep_environment}, .run = run};
  run->machine->successors(run->machine, end_of(run), &around.sink);
  return around;
}

/* One step that brings the run nearer, or one of the environment and another: a line is dropped and fetched again. */
static bool come_nearer(struct longer *run, const void *to, size_t away) {
  struct nearest n = nearest_of(run, NULL, to);
  if (n.found && n.distance < away) {
    go(run, n.step, n.state);
    return true;
  }
  size_t count = run->steps.count;
  struct environment_steps around = environment_steps(run);
  for (size_t i = 0; i < around.steps.count; i++) {
    go(run, around.steps.at[i].step, around.steps.at[i].after);
    n = nearest_of(run, NULL, to);
    if (n.found && n.distance < away) {
      go(run, n.step, n.state);
      return true;
    }
    run->steps.count = count;
  }
  return false;
}

static bool come_to(struct longer *run, const void *to) {
  size_t count = run->steps.count, away;
  while ((away = distance(run->machine, end_of(run), to)) > 0)
    if (!come_nearer(run, to, away)) {
      run->steps.count = count;
      return false;
    }
  return true;
}

static bool step_and_come(struct longer *run, const struct explore_step *wanted) {
  size_t count = run->steps.count;
  struct nearest n = nearest_of(run, &wanted->step, wanted->after);
  if (n.found) {
    go(run, n.step, n.state);
    if (come_to(run, wanted->after)) return true;
  }
  run->steps.count = count;
  return false;
}

/* Attempts a step after each one of the environment's: what has hit now waits in a queue. */
static bool attempt_late(struct longer *run, const struct explore_step *wanted,
                         bool (*attempt)(struct longer *run, const struct explore_step *wanted)) {
  size_t count = run->steps.count;
  struct environment_steps around = environment_steps(run);
  for (size_t i = 0; i < around.steps.count; i++) {
    go(run, around.steps.at[i].step, around.steps.at[i].after);
    if (attempt(run, wanted)) return true;
    run->steps.count = count;
  }
  return false;
}

/* What the reduced run does by one step. */
static bool follow(struct longer *run, const struct explore_step *wanted) {
  if (step_and_come(run, wanted)) return true;
  if (is_environment(run->machine, wanted->step) && come_to(run, wanted->after)) return true;
  return attempt_late(run, wanted, step_and_come);
}

/* ---- what can be left out ---- */

static bool take(struct longer *run, const struct explore_step *wanted) {
  struct nearest n = nearest_of(run, &wanted->step, wanted->after);
  if (n.found) go(run, n.step, n.state);
  return n.found;
}

/* Leaves `many` steps from `first` on out if the run ends where it did, and does not get longer. */
static void drop(struct longer *run, size_t first, size_t many) {
  size_t size = run->machine->state_size, words = size / sizeof(uint64_t) + 1;
  struct longer less = {.machine = run->machine, .arena = arena_new(), .initial = run->initial};
  bool taken = true;
  for (size_t i = 0; taken && i < run->steps.count; i++) {
    const struct explore_step *step = &run->steps.at[i];
    if (i < first) go(&less, step->step, step->after);
    if (i >= first + many) taken = take(&less, step) || attempt_late(&less, step, take);
  }
  if (taken && less.steps.count <= run->steps.count && distance(run->machine, end_of(&less), end_of(run)) == 0) {
    run->steps.count = first;
    for (size_t i = first; i < less.steps.count; i++)
      go(run, less.steps.at[i].step, memcpy(ARENA_ARRAY(run->arena, uint64_t, words), less.steps.at[i].after, size));
  }
  arena_free(less.arena);
}

static bool all_environment(const struct longer *run, size_t first, size_t many) {
  if (first + many > run->steps.count) return false;
  for (size_t i = first; i < first + many; i++)
    if (!is_environment(run->machine, run->steps.at[i].step)) return false;
  return true;
}

/* One by one; two, where a line is fetched and evicted; and once more, as a fetch into one cache is superfluous where a
 * load has gone past it. */
static void drop_environment(struct longer *run) {
  static const size_t ROUNDS[] = {1, 2, 1};
  for (size_t round = 0; round < ARRAY_COUNT(ROUNDS); round++)
    for (size_t i = run->steps.count; i-- > 0;)
      if (all_environment(run, i, ROUNDS[round])) drop(run, i, ROUNDS[round]);
}

bool unreduced_run(const struct machine *machine, struct arena *arena, struct explore_step **steps, size_t *length) {
  struct longer run = {.machine = machine, .arena = arena};
  void *initial = ARENA_ARRAY(arena, uint64_t, machine->state_size / sizeof(uint64_t) + 1);
  machine->initial(machine, initial);
  run.initial = initial;
  for (size_t i = 0; i < *length; i++)
    if (!follow(&run, &(*steps)[i])) return false;
  drop_environment(&run);
  *steps = run.steps.at;
  *length = run.steps.count;
  return true;
}
