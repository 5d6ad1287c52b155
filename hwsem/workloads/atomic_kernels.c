/* SPDX-License-Identifier: MIT */
/* Threads share the work in equal runs; each kernel is a body and a check. */

#include "hwsem/workloads/kernel_common.h"

enum { UNSEEN = -1, DIGIT = 256, HOT_BINS = 16, IMAGE_WORDS = 1024, SECTION_WORDS = 4 };

/* ---- direct updates ---- */

/* Each key also reads a few words of the thread's own image, which wants to stay in its caches. */
static void histogram(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct kernel_share run = kernel_share(k, t, k->o.size);
  uint32_t image = k->image + t->index * IMAGE_WORDS;
  for (uint32_t i = run.from; i < run.end; i++) {
    uint32_t key = (uint32_t)work_load(t, k->input + i, WORK_PLAIN);
    for (uint32_t j = 0; j < 2; j++) work_load(t, image + (2 * i + j) * WORK_LINE % IMAGE_WORDS, WORK_PLAIN);
    work_update(t, WORK_ADD, k->bins + key, 1, WORK_PLAIN);
    kernel_think(k, t);
  }
}

static void spmv(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct kernel_share run = kernel_share(k, t, k->graph->vertices);
  for (uint32_t v = run.from; v < run.end; v++) {
    int32_t x = work_load(t, k->input + v, WORK_PLAIN);
    for (uint32_t e = k->graph->first[v]; e < k->graph->first[v + 1]; e++) {
      uint32_t row = (uint32_t)work_load(t, k->queue + e, WORK_PLAIN);
      work_update(t, WORK_ADD, k->output + row, x * k->graph->weight[e], WORK_PLAIN);
      kernel_think(k, t);
    }
  }
}

static uint32_t digit_of(uint32_t key) {
  return key / DIGIT;
}

static void sort(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct kernel_share run = kernel_share(k, t, k->o.size), own = kernel_share(k, t, DIGIT);
  for (uint32_t i = run.from; i < run.end; i++) {
    uint32_t key = (uint32_t)work_load(t, k->input + i, WORK_PLAIN);
    work_update(t, WORK_ADD, k->bins + digit_of(key), 1, WORK_PLAIN);
    kernel_think(k, t);
  }
  work_barrier(t);
  if (t->index == 0) {
    int32_t sum = 0;
    for (uint32_t d = 0; d < DIGIT; d++) {
      int32_t count = work_load(t, k->bins + d, WORK_PLAIN);
      work_store(t, k->count + d, sum, WORK_PLAIN);
      sum += count;
    }
  }
  work_barrier(t);
  for (uint32_t i = run.from; i < run.end; i++) {
    uint32_t key = (uint32_t)work_load(t, k->input + i, WORK_PLAIN);
    int32_t place = work_amo(t, WORK_ADD, k->count + digit_of(key), 1, WORK_PLAIN);
    work_store(t, k->output + (uint32_t)place, (int32_t)key, WORK_PLAIN);
  }
  work_barrier(t);
  for (uint32_t d = own.from; d < own.end; d++) {
    uint32_t end = (uint32_t)work_load(t, k->count + d, WORK_PLAIN);
    uint32_t count = (uint32_t)work_load(t, k->bins + d, WORK_PLAIN);
    kernel_sort_bucket(t, k->output + end - count, count);
  }
}

/* ---- graphs ---- */

/* Level by level: frontiers lie one after the other in a queue. */
static void bfs(struct work_thread *t) {
  struct kernel *k = t->work->program;
  uint32_t from = 0, end = 1;
  for (int32_t level = 1; from < end; level++) {
    struct kernel_share run = kernel_share(k, t, end - from);
    for (uint32_t i = from + run.from; i < from + run.end; i++) {
      uint32_t v = (uint32_t)work_load(t, k->queue + i, WORK_PLAIN);
      for (uint32_t e = k->graph->first[v]; e < k->graph->first[v + 1]; e++) {
        uint32_t u = k->graph->target[e];
        kernel_think(k, t);
        if (work_load(t, k->output + u, WORK_PLAIN) != UNSEEN) continue;
        if (work_cas(t, k->output + u, UNSEEN, level, WORK_PLAIN) != UNSEEN) continue;
        int32_t place = work_amo(t, WORK_ADD, k->count, 1, WORK_PLAIN);
        work_store(t, k->queue + (uint32_t)place, (int32_t)u, WORK_PLAIN);
      }
    }
    work_barrier(t);
    from = end;
    end = (uint32_t)work_load(t, k->count, WORK_PLAIN);
    work_barrier(t); /* nobody adds to the queue before all have read its length */
  }
}

static void components(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct kernel_share run = kernel_share(k, t, k->graph->vertices);
  for (;;) {
    bool changed = false;
    for (uint32_t v = run.from; v < run.end; v++) {
      int32_t own = work_load(t, k->output + v, WORK_PLAIN);
      for (uint32_t e = k->graph->first[v]; e < k->graph->first[v + 1]; e++) {
        uint32_t u = k->graph->target[e];
        kernel_think(k, t);
        if (work_load(t, k->output + u, WORK_PLAIN) <= own) continue;
        work_update(t, WORK_MIN, k->output + u, own, WORK_PLAIN);
        changed = true;
      }
    }
    if (changed) work_update(t, WORK_OR, k->count, 1, WORK_PLAIN);
    work_barrier(t);
    int32_t more = work_load(t, k->count, WORK_PLAIN);
    work_barrier(t);
    if (!more) return;
    if (t->index == 0) work_store(t, k->count, 0, WORK_PLAIN);
    work_barrier(t);
  }
}

/* ---- synchronisation ---- */

static void take_tasks(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  while ((uint32_t)work_load(t, k->count, WORK_PLAIN) < k->o.size) {
    uint32_t task = (uint32_t)work_amo(t, WORK_ADD, k->count, 1, WORK_PLAIN);
    if (task >= k->o.size) return;
    work_store(t, k->output + task, (int32_t)t->index + 1, WORK_PLAIN);
    work_compute(t, k->o.think * (1 + task % 4));
  }
}

static void counters(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct kernel_share run = kernel_share(k, t, k->o.size);
  for (uint32_t i = run.from; i < run.end; i++) {
    work_update(t, WORK_ADD, kernel_spaced(k->bins, k->keys[i]), 1, WORK_PLAIN);
    if (i % 16 == 0) work_load(t, kernel_spaced(k->bins, k->keys[i]), WORK_PLAIN);
    kernel_think(k, t);
  }
}

/* What a critical section does: a few words that go up together. */
static void enter_section(const struct kernel *k, struct work_thread *t, uint32_t lock) {
  for (uint32_t i = 0; i < SECTION_WORDS; i++) {
    uint32_t at = kernel_spaced(k->output, lock) + i;
    work_store(t, at, work_load(t, at, WORK_PLAIN) + 1, WORK_PLAIN);
  }
}

static void ttas(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct kernel_share run = kernel_share(k, t, k->o.size);
  for (uint32_t i = run.from; i < run.end; i++) {
    uint32_t lock = k->keys[i];
    work_lock(t, kernel_spaced(k->lock, lock), KERNEL_PAUSE);
    enter_section(k, t, lock);
    work_unlock(t, kernel_spaced(k->lock, lock));
    kernel_think(k, t);
  }
}

/* The next ticket and the one being served lie on two lines. */
static void ticket(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct kernel_share run = kernel_share(k, t, k->o.size);
  for (uint32_t i = run.from; i < run.end; i++) {
    uint32_t lock = k->keys[i], next = kernel_spaced(k->lock, lock), serving = kernel_spaced(k->count, lock);
    int32_t mine = work_amo(t, WORK_ADD, next, 1, WORK_DEVICE);
    while (work_load(t, serving, WORK_DEVICE) != mine) work_compute(t, KERNEL_PAUSE);
    enter_section(k, t, lock);
    work_store(t, serving, mine + 1, WORK_DEVICE);
    kernel_think(k, t);
  }
}

/* Members of a mutex: its kind is read, then the lock is taken; the owner and the
 * number of users follow.  Who does not get the lock looks again after a pause. */
enum { MUTEX_KIND, MUTEX_LOCK, MUTEX_OWNER, MUTEX_USERS };

static void lock_mutex(struct work_thread *t, uint32_t mutex) {
  work_load(t, mutex + MUTEX_KIND, WORK_PLAIN);
  while (work_cas(t, mutex + MUTEX_LOCK, 0, 1, WORK_DEVICE) != 0) do
      work_compute(t, KERNEL_PAUSE);
    while (work_load(t, mutex + MUTEX_LOCK, WORK_DEVICE));
  work_load(t, mutex + MUTEX_OWNER, WORK_PLAIN);
  work_store(t, mutex + MUTEX_OWNER, (int32_t)t->index, WORK_PLAIN);
  work_store(t, mutex + MUTEX_USERS, 1, WORK_PLAIN);
}

static void unlock_mutex(struct work_thread *t, uint32_t mutex) {
  work_load(t, mutex + MUTEX_KIND, WORK_PLAIN);
  work_store(t, mutex + MUTEX_OWNER, 0, WORK_PLAIN);
  work_store(t, mutex + MUTEX_USERS, 0, WORK_PLAIN);
  work_amo(t, WORK_SWAP, mutex + MUTEX_LOCK, 0, WORK_DEVICE);
}

static void mutexes(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct kernel_share run = kernel_share(k, t, k->o.size);
  for (uint32_t i = run.from; i < run.end; i++) {
    uint32_t lock = k->keys[i];
    lock_mutex(t, kernel_spaced(k->lock, lock));
    enter_section(k, t, lock);
    unlock_mutex(t, kernel_spaced(k->lock, lock));
    kernel_think(k, t);
  }
}

static void barriers(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  int32_t threads = (int32_t)k->o.threads;
  for (uint32_t round = 0; round < k->o.size / k->o.threads; round++) {
    kernel_think(k, t);
    work_store(t, kernel_spaced(k->output, t->index), (int32_t)round + 1, WORK_PLAIN);
    if (work_amo(t, WORK_ADD, k->count, 1, WORK_DEVICE) == threads - 1) {
      work_store(t, k->count, 0, WORK_PLAIN);
      work_store(t, k->lock, (int32_t)round + 1, WORK_DEVICE);
    } else {
      while (work_load(t, k->lock, WORK_DEVICE) != (int32_t)round + 1) work_compute(t, KERNEL_PAUSE);
    }
    /* Whoever is through must see what its neighbour did before. */
    if (work_load(t, kernel_spaced(k->output, (t->index + 1) % k->o.threads), WORK_PLAIN) < (int32_t)round + 1)
      work_update(t, WORK_ADD, k->bins, 1, WORK_PLAIN);
  }
}

/* ---- inputs ---- */

static const uint32_t *make_keys(const struct kernel *k, size_t count, uint32_t range) {
  uint64_t seed = k->o.seed;
  if (k->o.keys == KEYS_ZIPF) return keys_zipf(k->arena, count, range, seed);
  uint32_t *keys = keys_uniform(k->arena, count, range, seed);
  if (k->o.keys == KEYS_UNIFORM) return keys;
  /* Hot bins are each thread's own; of mixed keys every second is hot. */
  for (size_t i = 0; i < count; i++)
    if (k->o.keys == KEYS_HOT || keys[i] % 2) {
      uint64_t thread = (uint64_t)i * k->o.threads / (count ? count : 1);
      keys[i] = (uint32_t)(thread * HOT_BINS + keys[i] / 2 % HOT_BINS) % range;
    }
  return keys;
}

static void fill_words(struct kernel *k, uint32_t at, uint32_t count, bool numbered) {
  for (uint32_t i = 0; i < count && !k->work->out_of_memory; i++)
    k->work->memory[at + i] = numbered ? (int32_t)i : UNSEEN;
}

static void place_graph(struct kernel *k) {
  k->graph =
      k->o.given ? k->o.given : graph_generate(k->arena, k->o.graph, k->o.size, k->o.degree, k->o.seed, k->o.limit);
  uint32_t n = k->graph->vertices;
  k->output = work_allocate(k->work, n);
  k->count = work_allocate(k->work, 1);
  if (k->work->out_of_memory) return;
  if (k->o.kind == KERNEL_SPMV) {
    k->input = work_allocate(k->work, n);
    fill_words(k, k->input, n, true);
    k->queue = work_place(k->work, k->graph->target, k->graph->arcs);
  } else if (k->o.kind == KERNEL_BFS) {
    k->queue = work_allocate(k->work, n);
    fill_words(k, k->output, n, false);
    k->work->memory[k->output] = 0;
    k->work->memory[k->count] = 1;
  } else {
    fill_words(k, k->output, n, true);
  }
}

static void place_arrays(struct kernel *k) {
  bool keyed = k->o.kind == KERNEL_HISTOGRAM || k->o.kind == KERNEL_SORT;
  uint32_t lines = (k->o.range > k->o.threads ? k->o.range : k->o.threads) + 1, range = k->o.range;
  if (k->o.kind == KERNEL_SORT) range = KERNEL_KEYS;
  k->keys = make_keys(k, k->o.size, range);
  if (keyed) k->input = work_place(k->work, k->keys, k->o.size);
  k->bins = work_allocate(k->work, k->o.kind == KERNEL_HISTOGRAM ? k->o.range : lines * WORK_LINE + DIGIT);
  k->count = work_allocate(k->work, lines * WORK_LINE + DIGIT);
  k->lock = work_allocate(k->work, lines * WORK_LINE);
  k->output = work_allocate(k->work, k->o.size > lines * WORK_LINE ? k->o.size : lines * WORK_LINE);
  if (k->o.kind == KERNEL_HISTOGRAM) k->image = work_allocate(k->work, k->o.threads * IMAGE_WORDS);
}

/* ---- answers ---- */

/* What a key counts up: a bin, a counter on a line of its own, the words of a critical section. */
static const char *check_counts(struct arena *arena, const struct kernel *k) {
  bool bins = k->o.kind == KERNEL_HISTOGRAM, counters = k->o.kind == KERNEL_COUNTERS;
  struct kernel_words words = {bins || counters ? k->bins : k->output, bins ? 1 : WORK_LINE, k->o.range};
  return kernel_compare(arena, k,
                        bins       ? "bin"
                        : counters ? "counter"
                                   : "section",
                        words, kernel_count_keys(arena, k, k->o.range));
}

static const char *check_product(struct arena *arena, const struct kernel *k) {
  const struct graph *g = k->graph;
  int32_t *right = ARENA_ARRAY(arena, int32_t, g->vertices + 1);
  for (uint32_t v = 0; v < g->vertices; v++)
    for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
      right[g->target[e]] = (int32_t)((uint32_t)right[g->target[e]] + v * (uint32_t)g->weight[e]);
  return kernel_compare(arena, k, "row", (struct kernel_words){k->output, 1, g->vertices}, right);
}

/* Levels from vertex 0, or labels: the least number that reaches a vertex. */
static const char *check_reached(struct arena *arena, const struct kernel *k) {
  const struct graph *g = k->graph;
  bool levels = k->o.kind == KERNEL_BFS;
  int32_t *right = ARENA_ARRAY(arena, int32_t, g->vertices + 1);
  uint32_t *queue = ARENA_ARRAY(arena, uint32_t, g->vertices + 1);
  for (uint32_t v = 0; v < g->vertices; v++) right[v] = UNSEEN;
  for (uint32_t source = 0; source < (levels ? 1 : g->vertices); source++) {
    uint32_t from = 0, end = 0;
    if (right[source] != UNSEEN) continue;
    right[source] = levels ? 0 : (int32_t)source;
    for (queue[end++] = source; from < end; from++)
      for (uint32_t e = g->first[queue[from]]; e < g->first[queue[from] + 1]; e++) {
        uint32_t u = g->target[e];
        if (right[u] != UNSEEN) continue;
        right[u] = levels ? right[queue[from]] + 1 : (int32_t)source;
        queue[end++] = u;
      }
  }
  return kernel_compare(arena, k, "vertex", (struct kernel_words){k->output, 1, g->vertices}, right);
}

static const char *check_tasks(struct arena *arena, const struct kernel *k) {
  for (uint32_t i = 0; i < k->o.size; i++)
    if (k->work->memory[k->output + i] == 0) return arena_printf(arena, "task %u was not executed", i);
  return NULL;
}

static const char *check_barriers(struct arena *arena, const struct kernel *k) {
  (void)arena;
  return k->work->memory[k->bins] ? "a thread went through before all had come" : NULL;
}

/* ---- all kernels ---- */

static const struct kernel_code codes[KERNEL_KINDS] = {[KERNEL_HISTOGRAM] = {histogram, place_arrays, check_counts},
                                                       [KERNEL_SPMV] = {spmv, place_graph, check_product},
                                                       [KERNEL_SORT] = {sort, place_arrays, kernel_check_sorted},
                                                       [KERNEL_BFS] = {bfs, place_graph, check_reached},
                                                       [KERNEL_COMPONENTS] = {components, place_graph, check_reached},
                                                       [KERNEL_QUEUE] = {take_tasks, place_arrays, check_tasks},
                                                       [KERNEL_COUNTERS] = {counters, place_arrays, check_counts},
                                                       [KERNEL_TTAS] = {ttas, place_arrays, check_counts},
                                                       [KERNEL_TICKET] = {ticket, place_arrays, check_counts},
                                                       [KERNEL_MUTEX] = {mutexes, place_arrays, check_counts},
                                                       [KERNEL_BARRIER] = {barriers, place_arrays, check_barriers}};

static const struct kernel_code *code_of(enum kernel_kind kind) {
  return codes[kind].body ? &codes[kind] : &kernel_fear_codes[kind];
}

static bool go_on(struct work *work) {
  (void)work;
  return true;
}

static const char *check(struct arena *arena, const struct work *work) {
  const struct kernel *k = work->program;
  return code_of(k->o.kind)->check(arena, k);
}

struct work *kernel_new(struct arena *arena, const struct kernel_options *options) {
  struct kernel *k = ARENA_MAKE(arena, struct kernel, .o = *options, .arena = arena);
  k->work = work_new(arena, options->threads, code_of(options->kind)->body, k);
  k->work->between = go_on;
  k->work->check = check;
  code_of(options->kind)->place(k);
  return k->work;
}
