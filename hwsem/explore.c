/* SPDX-License-Identifier: MIT */
/* The explorer: breadth first over the numbered states of the store, which is
 * at once the visited set and the queue.
 *
 * Successors are gathered in blocks, and a block is looked up two blocks later: when
 * a block is full its states are hashed and their buckets prefetched, when the next is
 * full the states that the buckets point to, and then they are looked up.  So memory is
 * waited for while others are made.  Their order, and with it the numbering, is that of
 * a search without blocks.
 *
 * Other threads may make successors (team.h); one looks them up, in the same order.
 */
#include "hwsem/explore.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/clock.h"
#include "checker/base/guard.h"
#include "hwsem/store.h"
#include "hwsem/team.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { BLOCK = 16, BLOCKS = 3, CHECK_EVERY = 4096 };

/* States that wait to be expanded before it is worth starting threads. */
enum { TEAM_FROM = 4096 };

struct explorer {
  struct guarded guarded;
  struct store store;
  struct store idle; /* what idle steps lead to from one state */
  const struct machine *machine;
  struct explore_options options;
  struct arena *arena; /* outcomes of the last run */
  struct explore_outcome *outcomes;
  size_t outcome_count, outcome_room;
  uint32_t *outcome_slots; /* hash table: index + 1 */
  size_t outcome_mask;
  struct team *team; /* while a run has helpers */
  uint8_t *ring;     /* BLOCKS blocks of states */
  size_t ring_bytes;
};

/* One run.  The sink comes first: machines hand it back as a pointer. */
struct walk {
  struct successor_sink sink;
  struct explorer *explorer;
  struct exploration *result;
  size_t stride;                                           /* of successors */
  void (*canonical)(const struct machine *m, void *state); /* NULL: they stay as they come */
  bool (*idle_steps)(const struct machine *m, struct step step);
  uint32_t parent;  /* being expanded */
  uint32_t emitted; /* its successors so far */
  uint32_t idle;    /* of these, by idle steps */
  unsigned block;   /* being filled */
  unsigned filled;  /* of its states */
  unsigned waiting; /* blocks before it, all of them full */
  uint64_t hash[BLOCKS][BLOCK];
  uint32_t from[BLOCKS][BLOCK];
  enum explore_end end;
};

static void free_explorer(void *object) {
  struct explorer *explorer = object;
  team_free(explorer->team);
  store_free(&explorer->store);
  store_free(&explorer->idle);
  free(explorer->outcomes);
  free(explorer->outcome_slots);
  free(explorer->ring);
  free(explorer);
}

struct explorer *explorer_new(void) {
  struct explorer *explorer = guard_must(calloc(1, sizeof *explorer));
  store_init(&explorer->store);
  store_init(&explorer->idle);
  guard_own(&explorer->guarded, free_explorer, explorer);
  return explorer;
}

void explorer_free(struct explorer *explorer) {
  if (!explorer) return;
  arena_free(explorer->arena);
  guard_disown(&explorer->guarded);
  free_explorer(explorer);
}

const char *explore_end_text(enum explore_end end) {
  switch (end) {
    case EXPLORE_DONE:
      return NULL;
    case EXPLORE_STOPPED:
      return "stopped";
    case EXPLORE_STATES:
      return "the state limit was met";
    case EXPLORE_MEMORY:
      return "the memory limit was met";
    case EXPLORE_TIMEOUT:
      return "the time limit was met";
    case EXPLORE_CANCELLED:
      return "interrupted";
    case EXPLORE_MACHINE:
      return "a value outgrew the machine's state";
  }
  return "";
}

/* Outcomes. */

static size_t find_outcome(const struct explorer *explorer, const int64_t *values, size_t count) {
  size_t i = XXH3_64bits(values, count * sizeof *values) & explorer->outcome_mask;
  for (; explorer->outcome_slots[i]; i = (i + 1) & explorer->outcome_mask) {
    const struct explore_outcome *outcome = &explorer->outcomes[explorer->outcome_slots[i] - 1];
    if (count == 0 || !memcmp(outcome->values, values, count * sizeof *values)) break;
  }
  return i;
}

static void grow_outcomes(struct explorer *explorer, size_t values) {
  explorer->outcome_room = explorer->outcome_room ? 2 * explorer->outcome_room : 16;
  size_t slots = 2 * explorer->outcome_room;
  explorer->outcomes = guard_must(realloc(explorer->outcomes, explorer->outcome_room * sizeof *explorer->outcomes));
  explorer->outcome_slots = guard_must(realloc(explorer->outcome_slots, slots * sizeof *explorer->outcome_slots));
  memset(explorer->outcome_slots, 0, slots * sizeof *explorer->outcome_slots);
  explorer->outcome_mask = slots - 1;
  for (size_t i = 0; i < explorer->outcome_count; i++)
    explorer->outcome_slots[find_outcome(explorer, explorer->outcomes[i].values, values)] = (uint32_t)i + 1;
}

/* Counts what a final state shows; false when the caller wants no more. */
static bool add_outcome(struct explorer *explorer, uint32_t index, const int64_t *values) {
  size_t count = explorer->machine->observable_count;
  size_t slot = find_outcome(explorer, values, count);
  if (explorer->outcome_slots[slot]) {
    explorer->outcomes[explorer->outcome_slots[slot] - 1].states++;
    return true;
  }
  if (explorer->outcome_count == explorer->outcome_room) {
    grow_outcomes(explorer, count);
    slot = find_outcome(explorer, values, count);
  }
  int64_t *kept = ARENA_ARRAY(explorer->arena, int64_t, count ? count : 1);
  if (count) memcpy(kept, values, count * sizeof *kept);
  struct explore_outcome *outcome = &explorer->outcomes[explorer->outcome_count++];
  *outcome = (struct explore_outcome){kept, 1, index};
  explorer->outcome_slots[slot] = (uint32_t)explorer->outcome_count;
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
static bool observe_class(struct explorer *explorer, uint32_t index) {
  const struct machine *m = explorer->machine;
  const void *state = store_at(&explorer->store, index);
  if (!reduces_by_symmetry(explorer) || m->image_count == 0) return observe_state(explorer, index, state);
  uint64_t image[m->state_size / 8 + 1];
  for (unsigned k = 0; k < m->image_count; k++) {
    m->image(m, k, state, image);
    if (!observe_state(explorer, index, image)) return false;
  }
  return true;
}

/* The search. */

static uint8_t *block_states(const struct walk *walk, unsigned block) {
  return walk->explorer->ring + (block % BLOCKS) * (BLOCK * store_stride(&walk->explorer->store) + MACHINE_SPARE);
}

/* Looks up the first `count` states of a block; false when memory is out. */
static bool add_block(struct walk *walk, unsigned block, unsigned count) {
  struct store *store = &walk->explorer->store;
  const uint32_t *from = walk->from[block % BLOCKS];
  for (unsigned i = 0; i < count; i++) /* parents come first: traces end */
    assert(from[i] == EXPLORE_NO_STATE || from[i] < store->count);
  if (store_add_all(store, block_states(walk, block), walk->hash[block % BLOCKS], from, count)) return true;
  walk->end = EXPLORE_MEMORY;
  return false;
}

static void hash_block(struct walk *walk) {
  const struct store *store = &walk->explorer->store;
  const uint8_t *states = block_states(walk, walk->block);
  uint64_t *hashes = walk->hash[walk->block];
  for (unsigned i = 0; i < walk->filled; i++) {
    hashes[i] = store_hash(store, states + i * store_stride(store));
    store_hint(store, hashes[i]);
  }
}

/* Looks up all that wait. */
static bool settle(struct walk *walk) {
  hash_block(walk);
  for (; walk->waiting > 0; walk->waiting--)
    if (!add_block(walk, walk->block + BLOCKS - walk->waiting, BLOCK)) return false;
  if (!add_block(walk, walk->block, walk->filled)) return false;
  walk->sink.place = block_states(walk, walk->block);
  walk->filled = 0;
  return true;
}

/* A block is full: goes on to the next, whose states were looked up or are so now. */
__attribute__((noinline)) static bool turn(struct walk *walk) {
  const struct store *store = &walk->explorer->store;
  const uint64_t *before = walk->hash[(walk->block + BLOCKS - 1) % BLOCKS];
  hash_block(walk);
  for (unsigned i = 0; walk->waiting > 0 && i < BLOCK; i++) store_probe(store, before[i]);
  if (walk->waiting == BLOCKS - 1 && !add_block(walk, walk->block + 1, BLOCK)) return false;
  if (walk->waiting < BLOCKS - 1) walk->waiting++;
  walk->block = (walk->block + 1) % BLOCKS;
  walk->sink.place = block_states(walk, walk->block);
  walk->filled = 0;
  return true;
}

/* The representative of a representative is itself: else one class would be
 * several states. */
__attribute__((unused)) static bool represents_its_class(const struct explorer *explorer, const uint8_t *state) {
  size_t size = explorer->machine->state_size;
  uint64_t again[size / 8 + 2];
  if (!reduces_by_symmetry(explorer)) return true;
  memcpy(again, state, size);
  explorer->machine->canonical(explorer->machine, again);
  return !memcmp(again, state, size);
}

static bool is_idle(const struct machine *m, struct step step) {
  return m->idle && m->idle(m, step);
}

static bool receive(struct successor_sink *sink, struct step step, const void *next) {
  struct walk *walk = (struct walk *)sink;
  if (next != sink->place) memcpy(sink->place, next, walk->explorer->store.state_size);
  if (walk->canonical) walk->canonical(walk->explorer->machine, sink->place);
  assert(represents_its_class(walk->explorer, sink->place));
  walk->from[walk->block][walk->filled] = walk->parent;
  sink->place = (uint8_t *)sink->place + walk->stride;
  walk->emitted++;
  if (walk->idle_steps) walk->idle += walk->idle_steps(walk->explorer->machine, step);
  return ++walk->filled < BLOCK || turn(walk);
}

static bool limited(struct walk *walk, double start) {
  const struct explore_options *options = &walk->explorer->options;
  const struct store *store = &walk->explorer->store;
  if (options->max_states && store->count >= options->max_states) {
    walk->end = EXPLORE_STATES;
  } else if (options->max_memory && store_bytes(store) > options->max_memory) {
    walk->end = EXPLORE_MEMORY;
  } else if (options->timeout > 0 && monotonic_seconds() - start > options->timeout) {
    walk->end = EXPLORE_TIMEOUT;
  } else if (options->cancel && *options->cancel) {
    walk->end = EXPLORE_CANCELLED;
  } else {
    return false;
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
  uint32_t from;
  bool moves;  /* some state has a step that is not idle */
  bool failed; /* out of memory */
};

static bool add_idle(struct idling *idling, const void *state) {
  struct explorer *explorer = idling->explorer;
  uint64_t buffer[explorer->machine->state_size / 8 + 2];
  memset(buffer, 0, sizeof buffer);
  memcpy(buffer, state, explorer->machine->state_size);
  uint64_t hash = store_hash(&explorer->idle, buffer);
  idling->failed = !store_add_all(&explorer->idle, buffer, &hash, &idling->from, 1);
  return !idling->failed;
}

static bool receive_idle(struct successor_sink *sink, struct step step, const void *next) {
  struct idling *idling = (struct idling *)sink;
  if (is_idle(idling->explorer->machine, step)) return add_idle(idling, next);
  idling->moves = true;
  return false;
}

/* Does nothing but idle steps follow, whatever is done? */
static bool idles_for_ever(struct walk *walk, const void *state) {
  struct explorer *explorer = walk->explorer;
  struct idling idling = {.sink = {.emit = receive_idle}, .explorer = explorer, .from = EXPLORE_NO_STATE};
  store_reset(&explorer->idle, explorer->machine->state_size);
  if (add_idle(&idling, state))
    for (uint32_t i = 0; i < explorer->idle.count && !idling.moves && !idling.failed; i++)
      expand_with(explorer, store_at(&explorer->idle, i), &idling.sink);
  if (idling.failed) walk->end = EXPLORE_MEMORY;
  return !idling.moves && !idling.failed;
}

static bool is_deadlock(struct walk *walk, const void *state) {
  if (walk->emitted == 0) return true;
  return walk->idle == walk->emitted && idles_for_ever(walk, state);
}

/* Counts a deadlock; false when the caller wants no more. */
static bool note_deadlock(struct walk *walk, uint32_t index) {
  const struct explore_options *options = &walk->explorer->options;
  walk->result->stats.deadlocks++;
  if (walk->result->deadlock != EXPLORE_NO_STATE) return true;
  walk->result->deadlock = index;
  return !options->deadlock || options->deadlock(options->context, index);
}

/* Helpers have made the state's successors: they go the way of those that are made here. */
static bool pass_on(struct walk *walk, const struct team_successors *made) {
  walk->idle = made->idle;
  for (uint32_t i = 0; i < made->emitted; i++) {
    memcpy(walk->sink.place, made->states + i * walk->stride, walk->stride);
    walk->from[walk->block][walk->filled] = walk->parent;
    walk->sink.place = (uint8_t *)walk->sink.place + walk->stride;
    walk->emitted++;
    if (++walk->filled == BLOCK && !turn(walk)) return false;
  }
  if (made->failed) walk->end = EXPLORE_MEMORY;
  return made->complete && !made->failed;
}

/* Makes the successors of a state, or takes them from the team; *final: of the state. */
static bool step_on(struct walk *walk, uint32_t index, const void *state, bool *final) {
  struct explorer *explorer = walk->explorer;
  struct team_successors made;
  if (explorer->team && team_take(explorer->team, index, explorer->store.count, &made)) {
    *final = made.final;
    return pass_on(walk, &made);
  }
  bool complete = expand_with(explorer, state, &walk->sink);
  *final = complete && explorer->machine->final(explorer->machine, state);
  return complete;
}

/* Expands one state; false to end the search, with walk->end set. */
static bool expand(struct walk *walk, uint32_t index) {
  struct explorer *explorer = walk->explorer;
  const void *state = store_at(&explorer->store, index);
  struct explore_stats *stats = &walk->result->stats;
  walk->parent = index;
  walk->emitted = walk->idle = 0;
  bool final, complete = step_on(walk, index, state, &final);
  stats->transitions += walk->emitted;
  if (!complete) {
    if (walk->end == EXPLORE_DONE) walk->end = EXPLORE_MACHINE;
    return false;
  }
  bool go_on = true;
  if (final) {
    stats->finals++;
    go_on = observe_class(explorer, index);
  } else if (is_deadlock(walk, state)) {
    go_on = note_deadlock(walk, index);
  }
  if (walk->end != EXPLORE_DONE) return false;
  if (!go_on) walk->end = EXPLORE_STOPPED;
  return go_on;
}

/* Where many states wait, others may help. */
static void call_helpers(struct walk *walk, uint32_t index) {
  struct explorer *explorer = walk->explorer;
  if (explorer->team || explorer->options.workers < 2 || explorer->store.count - index < TEAM_FROM) return;
  struct team_job job = {explorer->machine, &explorer->store, explorer->options.por, explorer->options.symmetry};
  if (store_reserve_chunks(&explorer->store)) explorer->team = team_new(&job, explorer->options.workers - 1, index);
}

static void dismiss_helpers(struct explorer *explorer) {
  team_free(explorer->team);
  explorer->team = NULL;
}

static void search(struct walk *walk) {
  struct store *store = &walk->explorer->store;
  double start = monotonic_seconds();
  uint32_t level_end = 1;
  for (uint32_t index = 0;; index++) {
    if (index == store->count) {
      if (!settle(walk) || index == store->count) break;
    }
    if (index == level_end) {
      if (!settle(walk)) break;
      level_end = store->count;
      walk->result->stats.depth++;
    }
    if (index % CHECK_EVERY == 0 && limited(walk, start)) break;
    if (index % CHECK_EVERY == 0) call_helpers(walk, index);
    if (walk->explorer->options.max_states && store->count > walk->explorer->options.max_states) {
      walk->end = EXPLORE_STATES;
      break;
    }
    if (!expand(walk, index)) break;
  }
  dismiss_helpers(walk->explorer);
  walk->result->stats.seconds = monotonic_seconds() - start;
}

static void prepare(struct explorer *explorer, const struct machine *machine, const struct explore_options *options) {
  explorer->machine = machine;
  explorer->options = *options;
  store_reset(&explorer->store, machine->state_size);
  size_t bytes = BLOCKS * (BLOCK * store_stride(&explorer->store) + MACHINE_SPARE);
  if (bytes > explorer->ring_bytes) {
    explorer->ring = guard_must(realloc(explorer->ring, bytes));
    explorer->ring_bytes = bytes;
  }
  arena_free(explorer->arena);
  explorer->arena = arena_new();
  explorer->outcome_count = 0;
  if (explorer->outcome_room == 0) grow_outcomes(explorer, 0);
  memset(explorer->outcome_slots, 0, (explorer->outcome_mask + 1) * sizeof *explorer->outcome_slots);
}

static bool add_initial(struct explorer *explorer) {
  uint64_t state[explorer->machine->state_size / 8 + 2];
  memset(state, 0, sizeof state);
  explorer->machine->initial(explorer->machine, state);
  if (reduces_by_symmetry(explorer)) explorer->machine->canonical(explorer->machine, state);
  uint64_t hash = store_hash(&explorer->store, state);
  return store_add_all(&explorer->store, state, &hash, &(uint32_t){EXPLORE_NO_STATE}, 1);
}

enum explore_end explore(struct explorer *explorer, const struct machine *machine,
                         const struct explore_options *options, struct exploration *result) {
  *result = (struct exploration){.deadlock = EXPLORE_NO_STATE, .observable_count = machine->observable_count};
  prepare(explorer, machine, options);
  struct walk walk = {.sink = {.emit = receive}, .explorer = explorer, .result = result};
  walk.stride = store_stride(&explorer->store);
  walk.canonical = reduces_by_symmetry(explorer) ? machine->canonical : NULL;
  walk.idle_steps = machine->idle;
  walk.sink.place = block_states(&walk, 0);
  if (add_initial(explorer))
    search(&walk);
  else
    walk.end = EXPLORE_MEMORY;
  result->end = walk.end;
  result->outcomes = explorer->outcomes;
  result->outcome_count = explorer->outcome_count;
  result->stats.states = explorer->store.count;
  result->stats.bytes = store_bytes(&explorer->store);
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
  size_t size = retrace->explorer->store.state_size;
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
  const struct store *store = &explorer->store;
  size_t length = 0, words = store->state_size / 8 + 1;
  for (uint32_t i = state; store_parent(store, i) != EXPLORE_NO_STATE; i = store_parent(store, i)) length++;
  uint32_t *path = ARENA_ARRAY(arena, uint32_t, length + 1);
  path[length] = state;
  for (size_t i = length; i > 0; i--) path[i - 1] = store_parent(store, path[i]);

  *steps = ARENA_ARRAY(arena, struct explore_step, length + 1);
  uint64_t *here = ARENA_ARRAY(arena, uint64_t, words);
  explorer->machine->initial(explorer->machine, here);
  for (size_t i = 0; i < length; i++) {
    struct retrace retrace = {.sink = {.emit = match}, .explorer = explorer, .wanted = store_at(store, path[i + 1])};
    retrace.found = ARENA_ARRAY(arena, uint64_t, words);
    expand_with(explorer, here, &retrace.sink);
    (*steps)[i] = (struct explore_step){.step = retrace.step, .before = here, .after = retrace.found};
    here = retrace.found;
  }
  return length;
}
