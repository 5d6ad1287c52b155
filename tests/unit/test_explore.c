/* SPDX-License-Identifier: MIT */
/* The store and the explorer on machines small enough to count by hand.
 *
 * The machine here has `agents` counters.  Each may go up to `top`; where
 * `jam` is set, the state in which all but the first stand at the top and the
 * first at zero has no way out.  Its states are the (top + 1)^agents vectors,
 * its depth agents * top, and its classes under exchange of agents the sorted
 * vectors. */
#include <string.h>

#include "checker/base/array.h"
#include "hwsem/explore.h"
#include "hwsem/visited_states.h"
#include "tests/unit/unit.h"

struct counters {
  unsigned agents;
  uint8_t top;
  bool jam;
};

static void initial(const struct machine *m, void *state) {
  memset(state, 0, m->state_size);
}

static bool jammed(const struct counters *c, const uint8_t *at) {
  bool jam = c->jam && at[0] == 0;
  for (unsigned i = 1; i < c->agents; i++) jam = jam && at[i] == c->top;
  return jam;
}

static bool successors(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct counters *c = m->self;
  const uint8_t *at = state;
  if (jammed(c, at)) return true;
  for (unsigned i = 0; i < c->agents; i++) {
    if (at[i] == c->top) continue;
    uint8_t next[16];
    memcpy(next, at, m->state_size);
    next[i]++;
    if (!sink->emit(sink, (struct step){.agent = (uint16_t)i}, next)) return false;
  }
  return true;
}

/* Enough of the steps to reach the end: the first agent that can move. */
static bool first_mover(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct counters *c = m->self;
  uint8_t next[16];
  memcpy(next, state, m->state_size);
  for (unsigned i = 0; i < c->agents; i++)
    if (next[i] < c->top) {
      next[i]++;
      return sink->emit(sink, (struct step){.agent = (uint16_t)i}, next);
    }
  return true;
}

static bool final(const struct machine *m, const void *state) {
  const struct counters *c = m->self;
  const uint8_t *at = state;
  for (unsigned i = 0; i < c->agents; i++)
    if (at[i] != c->top) return false;
  return true;
}

static int by_value(const void *a, const void *b) {
  return *(const uint8_t *)a - *(const uint8_t *)b;
}

static void sort_agents(const struct machine *m, void *state) {
  const struct counters *c = m->self;
  qsort(state, c->agents, 1, by_value);
}

static int64_t observe(const struct machine *m, const void *state, unsigned i) {
  (void)m;
  return ((const uint8_t *)state)[i];
}

static struct machine machine_of(struct counters *c) {
  return (struct machine){.name = "counters",
                          .state_size = c->agents,
                          .self = c,
                          .initial = initial,
                          .successors = successors,
                          .final = final,
                          .observable_count = c->agents,
                          .observe = observe};
}

TEST(test_all_states) {
  struct explorer *explorer = explorer_new();
  for (unsigned agents = 1; agents <= 4; agents++) {
    struct counters c = {agents, 9, false};
    struct machine m = machine_of(&c);
    struct exploration result;
    assert_int_equal(explore(explorer, &m, &(struct explore_options){0}, &result), EXPLORE_DONE);
    unsigned states = 1;
    for (unsigned i = 0; i < agents; i++) states *= 10;
    assert_int_equal(result.stats.states, states);
    assert_int_equal(result.stats.transitions, states / 10 * 9 * agents);
    assert_int_equal(result.stats.depth, 9 * agents);
    assert_int_equal(result.stats.finals, 1);
    assert_int_equal(result.stats.deadlocks, 0);
    assert_int_equal(result.deadlock, EXPLORE_NO_STATE);
    assert_int_equal(result.outcome_count, 1);
    for (unsigned i = 0; i < agents; i++) assert_int_equal(result.outcomes[0].values[i], 9);
  }
  explorer_free(explorer);
}

/* A trace starts at the beginning, every step follows from the one before, and
 * none is longer than it must be. */
static void check_trace(struct explorer *explorer, const struct machine *m, uint32_t to, size_t length) {
  struct arena *arena = arena_new();
  struct explore_step *steps;
  size_t count = explore_trace(explorer, to, arena, &steps);
  assert_int_equal(count, length);
  uint8_t now[16] = {0};
  for (size_t i = 0; i < count; i++) {
    assert_memory_equal(steps[i].before, now, m->state_size);
    now[steps[i].step.agent]++;
    assert_memory_equal(steps[i].after, now, m->state_size);
  }
  arena_free(arena);
}

TEST(test_traces) {
  struct explorer *explorer = explorer_new();
  struct counters c = {3, 20, true};
  struct machine m = machine_of(&c);
  struct exploration result;
  assert_int_equal(explore(explorer, &m, &(struct explore_options){0}, &result), EXPLORE_DONE);
  check_trace(explorer, &m, result.outcomes[0].state, 60);
  assert_int_equal(result.stats.deadlocks, 1);
  check_trace(explorer, &m, result.deadlock, 40);
  explorer_free(explorer);
}

static bool stop(void *context, uint32_t at) {
  (void)at;
  ++*(unsigned *)context;
  return false;
}

static bool stop_at_outcome(void *context, const struct explore_outcome *outcome) {
  return stop(context, outcome->state);
}

TEST(test_stops) {
  struct explorer *explorer = explorer_new();
  struct counters c = {2, 30, true};
  struct machine m = machine_of(&c);
  struct exploration result;
  unsigned calls = 0;
  struct explore_options at_deadlock = {.deadlock = stop, .context = &calls};
  assert_int_equal(explore(explorer, &m, &at_deadlock, &result), EXPLORE_STOPPED);
  assert_int_equal(calls, 1);
  assert_int_not_equal(result.deadlock, EXPLORE_NO_STATE);
  struct explore_options at_outcome = {.outcome = stop_at_outcome, .context = &calls};
  assert_int_equal(explore(explorer, &m, &at_outcome, &result), EXPLORE_STOPPED);
  assert_int_equal(calls, 2);
  explorer_free(explorer);
}

TEST(test_limits) {
  struct explorer *explorer = explorer_new();
  struct counters c = {5, 14, false};
  struct machine m = machine_of(&c);
  struct exploration result;
  assert_int_equal(explore(explorer, &m, &(struct explore_options){.max_states = 1000}, &result), EXPLORE_STATES);
  assert_in_range(result.stats.states, 1000, 1005); /* the last state's successors may end beyond */
  assert_non_null(explore_end_text(result.end));
  /* As many states as there are can be met, wherever the explorer looks at its limits; one fewer cannot. */
  for (uint8_t top = 0; top < 12; top++) {
    struct counters each = {2, top, false};
    struct machine exact = machine_of(&each);
    assert_int_equal(explore(explorer, &exact, &(struct explore_options){0}, &result), EXPLORE_DONE);
    uint64_t states = result.stats.states;
    assert_int_equal(explore(explorer, &exact, &(struct explore_options){.max_states = states}, &result), EXPLORE_DONE);
    if (states > 1)
      assert_int_equal(explore(explorer, &exact, &(struct explore_options){.max_states = states - 1}, &result),
                       EXPLORE_STATES);
  }
  uint64_t memory = 4u << 20;
  assert_int_equal(explore(explorer, &m, &(struct explore_options){.max_memory = memory}, &result), EXPLORE_MEMORY);
  assert_int_equal(explore(explorer, &m, &(struct explore_options){.timeout = 1e-6}, &result), EXPLORE_TIMEOUT);
  atomic_int cancel = 1;
  assert_int_equal(explore(explorer, &m, &(struct explore_options){.cancel = &cancel}, &result), EXPLORE_CANCELLED);
  /* After a limit the explorer serves the next machine as if nothing had been. */
  struct counters small = {2, 3, false};
  struct machine next = machine_of(&small);
  assert_int_equal(explore(explorer, &next, &(struct explore_options){0}, &result), EXPLORE_DONE);
  assert_int_equal(result.stats.states, 16);
  assert_null(explore_end_text(result.end));
  explorer_free(explorer);
}

/* Reductions keep the outcome and save states; switched off they do nothing. */
TEST(test_reductions) {
  struct explorer *explorer = explorer_new();
  struct counters c = {3, 9, false};
  struct machine m = machine_of(&c);
  m.ample = first_mover;
  m.canonical = sort_agents;
  struct exploration result;
  explore(explorer, &m, &(struct explore_options){0}, &result);
  assert_int_equal(result.stats.states, 1000);
  explore(explorer, &m, &(struct explore_options){.por = true}, &result);
  assert_int_equal(result.stats.states, 28);
  assert_int_equal(result.outcome_count, 1);
  explore(explorer, &m, &(struct explore_options){.symmetry = true}, &result);
  assert_int_equal(result.stats.states, 220); /* multisets of 3 out of 10 */
  assert_int_equal(result.outcome_count, 1);
  explorer_free(explorer);
}

/* Many states are final, and many outcomes are seen. */
static bool first_at_top(const struct machine *m, const void *state) {
  const struct counters *c = m->self;
  return *(const uint8_t *)state == c->top;
}

static bool enough(void *context, const struct explore_outcome *outcome) {
  (void)outcome;
  return --*(int *)context > 0;
}

static void assert_same_run(struct explorer *a, const struct exploration *x, struct explorer *b,
                            const struct exploration *y, size_t size) {
  struct arena *arena = arena_new();
  assert_int_equal(x->end, y->end);
  assert_int_equal(x->stats.states, y->stats.states);
  assert_int_equal(x->stats.transitions, y->stats.transitions);
  assert_int_equal(x->stats.finals, y->stats.finals);
  assert_int_equal(x->stats.deadlocks, y->stats.deadlocks);
  assert_int_equal(x->stats.depth, y->stats.depth);
  assert_int_equal(x->deadlock, y->deadlock);
  assert_int_equal(x->outcome_count, y->outcome_count);
  for (size_t i = 0; i < x->outcome_count; i++) {
    assert_int_equal(x->outcomes[i].state, y->outcomes[i].state);
    assert_int_equal(x->outcomes[i].states, y->outcomes[i].states);
    assert_memory_equal(x->outcomes[i].values, y->outcomes[i].values, x->observable_count * sizeof(int64_t));
  }
  struct explore_step *p, *q;
  size_t length = explore_trace(a, x->outcomes[x->outcome_count - 1].state, arena, &p);
  assert_int_equal(length, explore_trace(b, y->outcomes[y->outcome_count - 1].state, arena, &q));
  for (size_t i = 0; i < length; i++) assert_memory_equal(p[i].after, q[i].after, size);
  arena_free(arena);
}

/* Whatever the number of threads: the same numbers, outcomes, deadlock and runs, of whole
 * searches, reduced ones, and ones that end early. */
TEST(test_workers) {
  struct counters c = {5, 9, true};
  struct machine m = machine_of(&c);
  m.final = first_at_top;
  m.canonical = sort_agents;
  const struct explore_options options[] = {
      {0}, {.max_states = 60000}, {.symmetry = true}, {.compress = true}, {.outcome = enough}};
  for (size_t i = 0; i < ARRAY_COUNT(options); i++) {
    struct explorer *one = explorer_new(), *several = explorer_new();
    struct exploration alone, together;
    for (unsigned workers = 2; workers <= 4; workers++) {
      struct explore_options o = options[i];
      o.context = &(int){1500};
      explore(one, &m, &o, &alone);
      o.context = &(int){1500};
      o.workers = workers;
      explore(several, &m, &o, &together);
      assert_same_run(one, &alone, several, &together, m.state_size);
    }
    explorer_free(one);
    explorer_free(several);
  }
}

/* Adds one state; was it new? */
static bool add_one(struct store *store, const void *state, uint64_t hash) {
  uint32_t index, count = store->count;
  uint64_t root = 0;
  if (store->tree) assert_true(tree_fold(store->tree, state, store->stride, 1, &root));
  struct store_batch one = {.states = state, .hashes = &hash, .roots = &root, .count = 1};
  assert_true(store_add(store, &one, &index));
  assert_true(index < store->count);
  return index == count;
}

/* Far more states than one chunk and one table hold, with equal and unequal
 * states whatever their hashes; packed, and compressed from `size` bytes to few. */
static void check_store(size_t size, bool compress) {
  enum { COUNT = STORE_CHUNK + 1000, LARGEST = 64 };
  struct store store;
  struct tree *tree = compress ? tree_new(size) : NULL;
  store_init(&store);
  assert_true(store_reset(&store, size, tree));
  uint64_t buffer[LARGEST / sizeof(uint64_t)];
  for (unsigned round = 0; round < 2; round++)
    for (uint32_t i = 0; i < COUNT; i++) {
      uint8_t bytes[LARGEST + STORE_PADDING];
      memset(bytes, 0xee, sizeof bytes); /* what lies behind a state does not count */
      memset(bytes, 0, size);
      memcpy(bytes + i % (size - 4), &i, sizeof i);
      bytes[size - 1] ^= (uint8_t)(i % (size - 4));
      assert_int_equal(add_one(&store, bytes, store_hash(&store, bytes)), round == 0);
      assert_int_equal(store.count, round == 0 ? i + 1 : COUNT);
      assert_memory_equal(store_read(&store, i, buffer), bytes, size);
    }
  assert_true(store_bytes(&store) > 4 * COUNT);
  assert_true(store_reset(&store, 8, NULL));
  assert_int_equal(store.count, 0);
  store_free(&store);
  tree_free(tree);
}

TEST(test_store) {
  static const size_t sizes[] = {7, 24, 41};
  for (size_t i = 0; i < ARRAY_COUNT(sizes); i++)
    for (unsigned compress = 0; compress < 2; compress++) check_store(sizes[i], compress);
}

/* One hash for all (in a table that need not grow): it must compare whole states. */
TEST(test_store_collisions) {
  enum { COUNT = 80 };
  struct store store;
  store_init(&store);
  assert_true(store_reset(&store, sizeof(uint32_t), NULL));
  for (unsigned round = 0; round < 2; round++)
    for (uint32_t i = 0; i < COUNT; i++) {
      uint8_t bytes[sizeof i + STORE_PADDING] = {0};
      memcpy(bytes, &i, sizeof i);
      assert_int_equal(add_one(&store, bytes, 42), round == 0);
      assert_int_equal(store.count, round == 0 ? i + 1 : COUNT);
      assert_memory_equal(store_read(&store, i, NULL), &i, sizeof i);
    }
  store_free(&store);
}

/* Adds state `number` of test_visited; where it is. */
static visited_place add_number(struct visited *v, uint64_t number) {
  uint64_t words[2] = {number, 0}, hash = store_hash(&v->store, words);
  uint32_t index;
  assert_true(store_add(&v->store, &(struct store_batch){.states = words, .hashes = &hash, .count = 1}, &index));
  return index;
}

/* Parents and places of numbers, of one thread and of several: state i closes states `fan` * i + 1 and so on, and once
 * more those of the state before.  Several threads add `some` at a time, the last first; where these are many, they are
 * far from their numbers. */
static void check_visited(struct visited *v, bool shared, uint32_t some, uint32_t fan) {
  enum { COUNT = 80000 };
  visited_place *places = malloc((2 * fan) * sizeof *places), checked = 0;
  assert_true(visited_reset(v, sizeof(uint64_t), false));
  assert_int_equal(add_number(v, 0), 0);
  assert_true(visited_begin(v));
  for (uint32_t i = 0, added = 1; v->count < COUNT; i++) {
    if (i == 300 && shared) assert_true(visited_share(v));
    for (; v->shared && added <= fan * (i + 1); added += some)
      for (uint32_t k = some; k-- > 0;) assert_false(visited_is_numbered(v, add_number(v, added + k)));
    if (!v->shared) added = fan * (i + 1) + 1;
    for (uint32_t k = 0; k < fan; k++) places[k] = add_number(v, (i ? fan * (i - 1) : 0) + k + 1);
    for (uint32_t k = 0; k < fan; k++) places[fan + k] = add_number(v, fan * i + k + 1);
    assert_int_equal(visited_is_numbered(v, places[0]), i > 0);
    assert_false(visited_is_numbered(v, places[2 * fan - 1]));
    assert_true(visited_close(v, places, 2 * fan));
    assert_int_equal(v->count, fan * (i + 1) + 1);
    assert_int_equal(v->closed, i + 1);
    for (uint32_t k = 0; k < 2 * fan; k++) assert_true(visited_is_numbered(v, places[k]));
    visited_place open = visited_first_open(v);
    assert_true(open <= v->store.count && (open == v->store.count || !visited_is_numbered(v, open)));
    for (; checked < open; checked++) assert_true(visited_is_numbered(v, checked));
  }
  assert_true((v->far_count > 0) == (some > VISITED_FAR));
  for (uint32_t i = 0; i < v->count; i++) {
    uint64_t number = i;
    if (i > 0) assert_int_equal(visited_parent(v, i), (i - 1) / fan);
    assert_memory_equal(visited_read(v, visited_find(v, i), NULL), &number, sizeof number);
  }
  free(places);
}

TEST(test_visited) {
  struct visited v;
  visited_init(&v);
  check_visited(&v, false, 0, 3);
  check_visited(&v, true, 250, 3);
  check_visited(&v, true, 40000, 2);
  check_visited(&v, true, 40001, 2);
  check_visited(&v, false, 0, 200);
  check_visited(&v, true, 250, 150);
  visited_free(&v);
}

/* Several threads add the same states to a store, each in another order, and some twice in a batch: each state has one
 * number, whoever asks, and nothing else has. */

enum { ADDERS = 4, ADDED = 300000, AT_ONCE = 3000, ADDED_WORDS = 3 };

struct adder {
  struct store *store;
  uint32_t stride; /* prime to ADDED */
  uint32_t *found; /* of each state */
  bool failed;
};

/* State `number`, of one to three words; what lies behind its bytes is nothing. */
static void make_state(size_t size, uint32_t number, uint64_t *state) {
  uint64_t words[ADDED_WORDS] = {number * UINT64_C(0x9e3779b97f4a7c15), number % 611, number / 611};
  memset(state, 0, (size + 7) / 8 * 8);
  memcpy(state, words, size);
}

static void *add_in_order(void *context) {
  struct adder *adder = context;
  struct store *store = adder->store;
  size_t words = store_stride(store) / 8;
  uint64_t *states = calloc(AT_ONCE * words + 1, sizeof *states), hashes[AT_ONCE], roots[AT_ONCE];
  uint32_t numbers[AT_ONCE], indices[AT_ONCE];
  struct store_batch batch = {states, hashes, roots, AT_ONCE};
  for (uint64_t i = 0; i < ADDED && !adder->failed; i += AT_ONCE / 2) {
    for (uint32_t k = 0; k < AT_ONCE; k++) {
      numbers[k] = (uint32_t)((i + k % (AT_ONCE / 2)) * adder->stride % ADDED);
      make_state(store->state_size, numbers[k], &states[k * words]);
      hashes[k] = store_hash(store, &states[k * words]);
    }
    adder->failed = store->tree && !tree_fold(store->tree, states, 8 * words, AT_ONCE, roots);
    adder->failed |= !store_add(store, &batch, indices);
    store_prepare(store);
    for (uint32_t k = 0; k < AT_ONCE; k++) {
      adder->failed |= k >= AT_ONCE / 2 && adder->found[numbers[k]] != indices[k];
      adder->found[numbers[k]] = indices[k];
    }
  }
  free(states);
  return NULL;
}

static void check_adders(size_t size, bool compress) {
  static const uint32_t strides[ADDERS] = {1, 1, 7, 299999};
  struct store store;
  struct tree *tree = compress ? tree_new(size) : NULL;
  struct adder adders[ADDERS];
  pthread_t threads[ADDERS];
  store_init(&store);
  assert_true(store_reset(&store, size, tree));
  assert_true(store_share(&store));
  for (unsigned i = 0; i < ADDERS; i++) {
    adders[i] = (struct adder){&store, strides[i], calloc(ADDED, sizeof(uint32_t)), false};
    assert_false(pthread_create(&threads[i], NULL, add_in_order, &adders[i]));
  }
  for (unsigned i = 0; i < ADDERS; i++) pthread_join(threads[i], NULL);
  assert_int_equal(store.count, ADDED);
  for (unsigned i = 0; i < ADDERS; i++) {
    assert_false(adders[i].failed);
    assert_memory_equal(adders[i].found, adders[0].found, ADDED * sizeof(uint32_t));
  }
  for (uint32_t i = 0; i < ADDED; i++) {
    uint64_t wanted[ADDED_WORDS], buffer[ADDED_WORDS + 1];
    make_state(size, i, wanted);
    assert_memory_equal(store_read(&store, adders[0].found[i], buffer), wanted, size);
  }
  for (unsigned i = 0; i < ADDERS; i++) free(adders[i].found);
  store_free(&store);
  tree_free(tree);
}

TEST(test_adders) {
  check_adders(7, false);
  check_adders(24, false);
  check_adders(8, true);
  check_adders(22, true);
}
