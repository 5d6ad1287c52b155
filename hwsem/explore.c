/* SPDX-License-Identifier: MIT */
/* The explorer: breadth first over the visited states, which are numbered and so are
 * the queue as well.
 *
 * Portions of states go through two stages: their successors are made and looked up, and
 * then numbered (successor_batch.h).  Other threads may take over the first (explore_threads.h).  What is
 * counted and reported happens at the last, state by state in their order: it is that of a
 * search which does one state after another.
 */
#include "hwsem/explore.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/limit.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/progress_gauge.h"
#include "checker/base/vec.h"
#include "hwsem/explore_threads.h"

enum { PORTION = 128, CHECK_EVERY = 4096 };

/* States that wait to be expanded before it is worth starting threads; that have been
 * visited before it is worth remembering some. */
enum { TEAM_FROM = 4096, REMEMBER_FROM = 8192 };

struct explorer {
  struct guarded guarded;
  struct visited visited;
  struct store idle; /* what idle steps lead to from one state */
  const struct machine *machine;
  struct explore_options options;
  struct arena *arena; /* outcomes of the last run */
  struct store values; /* of outcomes, by their numbers */
  VEC(struct explore_outcome) outcomes;
  struct making making;
  struct maker *maker;
  struct portion portion; /* without a team */
  struct team *team;      /* while a run has helpers */
};

/* One run. */
struct walk {
  struct explorer *explorer;
  struct exploration *result;
  uint32_t next; /* states to be made by this thread */
  uint32_t level_end;
  double start, deadline;
  enum explore_end end;
};

static void free_explorer(void *object) {
  struct explorer *explorer = object;
  team_free(explorer->team);
  visited_free(&explorer->visited);
  store_free(&explorer->idle);
  maker_free(explorer->maker);
  portion_free(&explorer->portion);
  store_free(&explorer->values);
  free(explorer);
}

struct explorer *explorer_new(void) {
  struct explorer *explorer = guard_must(calloc(1, sizeof *explorer));
  visited_init(&explorer->visited);
  store_init(&explorer->idle);
  store_init(&explorer->values);
  guard_own(&explorer->guarded, free_explorer, explorer);
  explorer->maker = guard_must(maker_new());
  return explorer;
}

void explorer_free(struct explorer *explorer) {
  if (!explorer) return;
  arena_free(explorer->arena);
  guard_disown(&explorer->guarded);
  free_explorer(explorer);
}

const char *explore_end_text(enum explore_end end) {
  static const char *const texts[] = {[EXPLORE_DONE] = NULL,
                                      [EXPLORE_STOPPED] = "stopped",
                                      [EXPLORE_STATES] = "the state limit was reached",
                                      [EXPLORE_MEMORY] = "the memory limit was reached",
                                      [EXPLORE_TIMEOUT] = "the time limit was reached",
                                      [EXPLORE_CANCELLED] = "interrupted",
                                      [EXPLORE_MACHINE] = "a value outgrew the machine's state"};
  return texts[end];
}

/* Outcomes. */

/* Counts what a final state shows; false when the caller wants no more. */
static bool add_outcome(struct explorer *explorer, uint32_t index, const int64_t *values) {
  uint32_t number;
  if (!store_add_one(&explorer->values, values, &number)) guard_out_of_memory();
  if (number < explorer->outcomes.count) {
    explorer->outcomes.at[number].states++;
    return true;
  }
  struct explore_outcome *outcome = vec_push(explorer->arena, &explorer->outcomes);
  *outcome = (struct explore_outcome){store_read(&explorer->values, number, NULL), 1, index};
  return !explorer->options.outcome || explorer->options.outcome(explorer->options.context, outcome);
}

static bool observe_state(struct explorer *explorer, uint32_t index, const void *state) {
  const struct machine *m = explorer->machine;
  int64_t values[m->observable_count + 1];
  for (unsigned i = 0; i < m->observable_count; i++) values[i] = m->observe(m, state, i);
  return add_outcome(explorer, index, values);
}

static bool reduces_by_symmetry(const struct explorer *explorer) {
  return explorer->options.symmetry && explorer->machine->canonical;
}

/* What the whole class of a final state shows. */
static bool observe_class(struct explorer *explorer, uint32_t index, const void *state) {
  const struct machine *m = explorer->machine;
  if (!reduces_by_symmetry(explorer) || m->image_count == 0) return observe_state(explorer, index, state);
  uint64_t image[m->state_size / 8 + 1];
  for (unsigned k = 0; k < m->image_count; k++) {
    m->image(m, k, state, image);
    if (!observe_state(explorer, index, image)) return false;
  }
  return true;
}

static bool expand_with(const struct explorer *explorer, const void *state, struct successor_sink *sink) {
  const struct machine *m = explorer->machine;
  return explorer->options.por && m->ample ? m->ample(m, state, sink) : m->successors(m, state, sink);
}

/* Deadlocks.  A state whose steps are all idle may yet come to one that is not,
 * by way of others: those are looked at until one does. */

struct idling {
  struct successor_sink sink;
  struct explorer *explorer;
  bool moves;  /* some state has a step that is not idle */
  bool failed; /* out of memory */
};

static bool add_one(struct store *store, const void *state) {
  uint32_t index;
  return store_add_one(store, state, &index);
}

static bool is_idle(const struct machine *m, struct step step) {
  return m->idle && m->idle(m, step);
}

static bool receive_idle(struct successor_sink *sink, struct step step, const void *next) {
  struct idling *idling = (struct idling *)sink;
  if (!is_idle(idling->explorer->machine, step)) {
    idling->moves = true;
    return false;
  }
  idling->failed = !add_one(&idling->explorer->idle, next);
  return !idling->failed;
}

/* Does nothing but idle steps follow, whatever is done? */
static bool idles_for_ever(struct walk *walk, const void *state) {
  struct explorer *explorer = walk->explorer;
  struct idling idling = {.sink = {.emit = receive_idle}, .explorer = explorer};
  idling.failed =
      !store_reset(&explorer->idle, explorer->machine->state_size, NULL) || !add_one(&explorer->idle, state);
  for (uint32_t i = 0; i < explorer->idle.count && !idling.moves && !idling.failed; i++)
    expand_with(explorer, store_read(&explorer->idle, i, NULL), &idling.sink);
  if (idling.failed) walk->end = EXPLORE_MEMORY;
  return !idling.moves && !idling.failed;
}

static bool is_deadlock(struct walk *walk, const struct made *made, const void *state) {
  if (made->emitted == 0) return true;
  return made->idle && idles_for_ever(walk, state);
}

/* Counts a deadlock; false when the caller wants no more. */
static bool note_deadlock(struct walk *walk, uint32_t index) {
  const struct explore_options *options = &walk->explorer->options;
  walk->result->stats.deadlocks++;
  if (walk->result->deadlock != EXPLORE_NO_STATE) return true;
  walk->result->deadlock = index;
  return !options->deadlock || options->deadlock(options->context, index);
}

/* The search. */

static bool limited(struct walk *walk) {
  struct explorer *explorer = walk->explorer;
  const struct explore_options *options = &explorer->options;
  gauge_count(explorer->visited.count, "states");
  if (options->max_memory && visited_bytes(&explorer->visited) > options->max_memory) {
    walk->end = EXPLORE_MEMORY;
  } else if (deadline_passed(walk->deadline)) {
    walk->end = EXPLORE_TIMEOUT;
  } else if (is_cancelled(options->cancel)) {
    walk->end = EXPLORE_CANCELLED;
  } else {
    return false;
  }
  return true;
}

/* Notes what a state is; false when the caller wants no more, or memory is out. */
static bool judge(struct walk *walk, uint32_t index, const struct made *made, visited_place place) {
  struct explorer *explorer = walk->explorer;
  uint64_t buffer[explorer->machine->state_size / sizeof(uint64_t) + 1];
  bool stuck = !made->final && made->idle;
  if (!made->final && !stuck) return true;
  const void *state = visited_read(&explorer->visited, place, buffer);
  if (made->final) walk->result->stats.finals++;
  if (made->final) return observe_class(explorer, index, state);
  return !is_deadlock(walk, made, state) || note_deadlock(walk, index);
}

/* Numbers what the i-th state of a portion leads to and counts it; false to end the
 * search, with walk->end set. */
static bool settle(struct walk *walk, struct portion *p, uint32_t i) {
  struct visited *visited = &walk->explorer->visited;
  const struct explore_options *options = &walk->explorer->options;
  const struct made *made = &p->made[i];
  uint32_t index = p->first + i;
  if (index == walk->level_end) {
    walk->level_end = visited->count;
    walk->result->stats.depth++;
  }
  if (index % CHECK_EVERY == 0 && limited(walk)) return false;
  if (options->max_states && visited->count > options->max_states) {
    walk->end = EXPLORE_STATES;
    return false;
  }
  if (!portion_number(p, visited, i)) {
    walk->end = EXPLORE_MEMORY;
    return false;
  }
  walk->result->stats.transitions += made->emitted;
  if (!made->complete) {
    walk->end = EXPLORE_MACHINE;
    return false;
  }
  bool go_on = judge(walk, index, made, p->places[i]);
  if (!go_on && walk->end == EXPLORE_DONE) walk->end = EXPLORE_STOPPED;
  return walk->end == EXPLORE_DONE;
}

/* Where many states wait, others may help. */
static void call_helpers(struct walk *walk) {
  struct explorer *explorer = walk->explorer;
  unsigned workers = explorer->options.workers;
  if (workers < 2 || explorer->team || explorer->visited.count - walk->next < TEAM_FROM) return;
  explorer->options.workers = 1; /* asked for once: there may be none */
  if (!visited_share(&explorer->visited)) return;
  explorer->team = team_new(&explorer->making, &explorer->visited, explorer->maker, walk->next, workers);
}

/* What comes next, made and looked up by this thread. */
static struct portion *make_next(struct walk *walk) {
  struct explorer *explorer = walk->explorer;
  struct visited *visited = &explorer->visited;
  struct portion *p = &explorer->portion;
  uint32_t left = visited->count - walk->next;
  if (left == 0) return NULL;
  p->first = walk->next;
  p->count = left < PORTION ? left : PORTION;
  walk->next += p->count;
  portion_make(p, visited, explorer->maker, visited_first_open(visited));
  return p;
}

static void remember(struct explorer *explorer) {
  const struct visited *visited = &explorer->visited;
  uint64_t buffer[store_stride(&visited->store) / sizeof(uint64_t) + 1];
  maker_remember(explorer->maker, visited, visited_read(visited, visited_find(visited, 0), buffer));
}

static struct portion *next_portion(struct walk *walk) {
  struct explorer *explorer = walk->explorer;
  struct visited *visited = &explorer->visited;
  if (explorer->team) return team_take(explorer->team);
  if (visited->count >= REMEMBER_FROM) remember(explorer);
  return make_next(walk);
}

static void search(struct walk *walk) {
  struct explorer *explorer = walk->explorer;
  struct portion *p;
  while (walk->end == EXPLORE_DONE && (p = next_portion(walk))) {
    if (p->failed) walk->end = EXPLORE_MEMORY;
    for (uint32_t i = 0; walk->end == EXPLORE_DONE && i < p->count && settle(walk, p, i); i++) continue;
    if (walk->end == EXPLORE_DONE) call_helpers(walk);
  }
  team_free(explorer->team);
  explorer->team = NULL;
}

static void prepare(struct explorer *explorer, const struct machine *machine, const struct explore_options *options) {
  explorer->machine = machine;
  explorer->options = *options;
  explorer->making = (struct making){machine, options->por, options->symmetry};
  arena_free(explorer->arena);
  explorer->arena = arena_new();
  explorer->outcomes.at = NULL;
  explorer->outcomes.count = explorer->outcomes.room = 0;
  if (!store_reset(&explorer->values, machine->observable_count * sizeof(int64_t), NULL)) guard_out_of_memory();
}

static bool add_initial(struct explorer *explorer) {
  const struct machine *m = explorer->machine;
  struct visited *visited = &explorer->visited;
  if (!visited_reset(visited, m->state_size, explorer->options.compress)) return false;
  maker_reset(explorer->maker, &explorer->making, store_stride(&visited->store));
  uint64_t state[m->state_size / sizeof(uint64_t) + 2];
  memset(state, 0, sizeof state);
  m->initial(m, state);
  if (reduces_by_symmetry(explorer)) m->canonical(m, state);
  return add_one(&visited->store, state) && visited_begin(visited);
}

enum explore_end explore(struct explorer *explorer, const struct machine *machine,
                         const struct explore_options *options, struct exploration *result) {
  *result = (struct exploration){.deadlock = EXPLORE_NO_STATE, .observable_count = machine->observable_count};
  prepare(explorer, machine, options);
  struct walk walk = {.explorer = explorer, .result = result, .level_end = 1, .start = monotonic_seconds()};
  walk.deadline = deadline_in(explorer->options.timeout);
  if (add_initial(explorer))
    search(&walk);
  else
    walk.end = EXPLORE_MEMORY;
  result->end = walk.end;
  if (walk.end == EXPLORE_MEMORY || walk.end == EXPLORE_TIMEOUT || walk.end == EXPLORE_CANCELLED) guard_note_limit();
  result->outcomes = explorer->outcomes.at;
  result->outcome_count = explorer->outcomes.count;
  result->stats.states = explorer->visited.count;
  result->stats.bytes = visited_bytes(&explorer->visited);
  result->stats.seconds = monotonic_seconds() - walk.start;
  return result->end;
}

/* Traces: the parents give the states; running the machine again from each
 * tells the step.  Under symmetry a concrete run is followed whose classes are
 * the parents' states. */

struct retrace {
  struct successor_sink sink;
  struct explorer *explorer;
  const void *wanted; /* the class's representative */
  struct step step;
  uint64_t *found; /* the concrete successor */
  bool done;
};

static bool match(struct successor_sink *sink, struct step step, const void *next) {
  struct retrace *retrace = (struct retrace *)sink;
  size_t size = retrace->explorer->machine->state_size;
  uint64_t class[size / 8 + 1];
  memcpy(class, next, size);
  if (reduces_by_symmetry(retrace->explorer)) retrace->explorer->machine->canonical(retrace->explorer->machine, class);
  if (memcmp(class, retrace->wanted, size) != 0) return true;
  memcpy(retrace->found, next, size);
  retrace->step = step;
  retrace->done = true;
  return false;
}

size_t explore_trace(struct explorer *explorer, uint32_t state, struct arena *arena, struct explore_step **steps) {
  const struct visited *visited = &explorer->visited;
  size_t length = 0, words = explorer->machine->state_size / sizeof(uint64_t) + 1;
  for (uint32_t i = state; i != 0; i = visited_parent(visited, i)) length++;
  uint32_t *path = ARENA_ARRAY(arena, uint32_t, length + 1);
  path[length] = state;
  for (size_t i = length; i > 0; i--) path[i - 1] = visited_parent(visited, path[i]);

  *steps = ARENA_ARRAY(arena, struct explore_step, length + 1);
  uint64_t *here = ARENA_ARRAY(arena, uint64_t, words), *wanted = ARENA_ARRAY(arena, uint64_t, words);
  explorer->machine->initial(explorer->machine, here);
  for (size_t i = 0; i < length; i++) {
    struct retrace retrace = {.sink = {.emit = match}, .explorer = explorer};
    retrace.wanted = visited_read(visited, visited_find(visited, path[i + 1]), wanted);
    retrace.found = ARENA_ARRAY(arena, uint64_t, words);
    expand_with(explorer, here, &retrace.sink);
    (*steps)[i] = (struct explore_step){.step = retrace.step, .before = here, .after = retrace.found};
    here = retrace.found;
  }
  return length;
}
