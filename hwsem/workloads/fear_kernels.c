/* SPDX-License-Identifier: MIT */
/* The programs of Franey and Lipasti's Table II, by what their sources do with
 * atomic operations: inputs are made by seed, numbers are integers, so that the
 * order of additions does not matter and answers can be checked. */
#include "hwsem/timing/splitmix.h"
#include "hwsem/workloads/kernel_common.h"

/* Of fluid: columns of cells that a thread has, particles in a cell, the side of a cell and
 * how far a particle reaches. */
enum { STRIP = 4, CROWD = 2, SIDE = 64, REACH = 64 };
enum { BINS = 64, ROUNDS = 4, TAKEN = -1, FANS = 4 };

/* ---- fluidanimate: a strip of cells for each thread; the strips form a ring ---- */

/* The grid of cells: `width` of them in a row. */
struct grid {
  uint32_t width, height;
};

static struct grid grid_of(const struct kernel *k) {
  uint32_t cells = k->o.size / CROWD, width = k->o.threads * STRIP;
  return (struct grid){width, cells / width ? cells / width : 1};
}

/* The cell to the right or one of three below; false where the grid ends. */
static bool neighbour(const struct grid *g, uint32_t cell, unsigned way, uint32_t *other) {
  static const int across[] = {1, -1, 0, 1};
  uint32_t x = (cell % g->width + g->width + (uint32_t)across[way]) % g->width, y = cell / g->width + (way > 0);
  *other = y * g->width + x;
  return y < g->height;
}

/* How much two particles move each other: 0 when they are too far apart. */
static int32_t weight(int32_t a, int32_t b, int dx, int dy) {
  int32_t x = (a & 0xFF) - (b & 0xFF) - dx * SIDE, y = (a >> 8) - (b >> 8) - dy * SIDE, square = x * x + y * y;
  return square < REACH * REACH ? (REACH * REACH - square) / 64 : 0;
}

static int32_t wrap_add(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}

/* What a pair is to do, with a context: in simulated memory, or to check. */
typedef void on_pair(void *context, uint32_t a, uint32_t b, int dx, int dy, bool forces);

/* All pairs of a cell: within it, and with four of its neighbours, which leave the others to theirs. */
static void pairs_of(const struct grid *g, uint32_t cell, bool forces, on_pair *pair, void *context) {
  static const int across[] = {1, -1, 0, 1};
  uint32_t other;
  for (uint32_t i = 0; i < CROWD; i++)
    for (uint32_t j = i + 1; j < CROWD; j++) pair(context, cell * CROWD + i, cell * CROWD + j, 0, 0, forces);
  for (unsigned way = 0; way < 4; way++) {
    if (!neighbour(g, cell, way, &other)) continue;
    for (uint32_t i = 0; i < CROWD; i++)
      for (uint32_t j = 0; j < CROWD; j++)
        pair(context, cell * CROWD + i, other * CROWD + j, across[way], way > 0, forces);
  }
}

static void update_pair(struct work_thread *t, uint32_t words, uint32_t a, uint32_t b, int32_t to_a, int32_t to_b) {
  const struct kernel *k = t->work->program;
  work_update(t, WORK_ADD, words + a, to_a, WORK_PLAIN);
  kernel_think(k, t);
  work_update(t, WORK_ADD, words + b, to_b, WORK_PLAIN);
  kernel_think(k, t);
}

/* Densities of the two, or the forces between them. */
static void move_pair(void *context, uint32_t a, uint32_t b, int dx, int dy, bool forces) {
  struct work_thread *t = context;
  const struct kernel *k = t->work->program;
  int32_t first = work_load(t, k->input + a, WORK_PLAIN);
  int32_t w = weight(first, work_load(t, k->input + b, WORK_PLAIN), dx, dy);
  if (!w) return;
  if (forces) {
    first = work_load(t, k->bins + a, WORK_PLAIN);
    w *= first - work_load(t, k->bins + b, WORK_PLAIN);
  }
  update_pair(t, forces ? k->output : k->bins, a, b, w, forces ? -w : w);
}

static void fluid(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct grid g = grid_of(k);
  for (int phase = 0; phase < 2; phase++) {
    for (uint32_t i = 0; i < g.height * STRIP; i++)
      pairs_of(&g, i / STRIP * g.width + t->index * STRIP + i % STRIP, phase, move_pair, t);
    work_barrier(t);
  }
}

static void place_particles(struct kernel *k) {
  struct grid g = grid_of(k);
  uint32_t count = g.width * g.height * CROWD;
  uint64_t seed = k->o.seed;
  int32_t *places = ARENA_ARRAY(k->arena, int32_t, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t random = splitmix_next(&seed);
    places[i] = (int32_t)(random % SIDE | random / SIDE % SIDE << 8);
  }
  k->input = work_place(k->work, places, count);
  k->bins = work_allocate(k->work, count);
  k->output = work_allocate(k->work, count);
}

/* The same, one pair after the other. */
struct fluid_check {
  const int32_t *at;
  int32_t *density, *force;
};

static void check_pair(void *context, uint32_t a, uint32_t b, int dx, int dy, bool forces) {
  struct fluid_check *c = context;
  int32_t w = weight(c->at[a], c->at[b], dx, dy), force = w * (c->density[a] - c->density[b]);
  int32_t *words = forces ? c->force : c->density;
  words[a] = wrap_add(words[a], forces ? force : w);
  words[b] = wrap_add(words[b], forces ? -force : w);
}

static const char *check_fluid(struct arena *arena, const struct kernel *k) {
  struct grid g = grid_of(k);
  uint32_t cells = g.width * g.height, count = cells * CROWD;
  struct fluid_check c = {&k->work->memory[k->input], ARENA_ARRAY(arena, int32_t, count),
                          ARENA_ARRAY(arena, int32_t, count)};
  for (int phase = 0; phase < 2; phase++)
    for (uint32_t cell = 0; cell < cells; cell++) pairs_of(&g, cell, phase, check_pair, &c);
  const char *wrong = kernel_compare(arena, k, "density", (struct kernel_words){k->bins, 1, count}, c.density);
  return wrong ? wrong : kernel_compare(arena, k, "force", (struct kernel_words){k->output, 1, count}, c.force);
}

/* A piece of work takes half as long as another, or half as long again: what cores do besides memory. */
static void work_unevenly(const struct kernel *k, struct work_thread *t, uint32_t piece) {
  uint64_t seed = k->o.seed << 32 | piece;
  work_compute(t, k->o.think / 2 + (int64_t)(splitmix_next(&seed) % (uint64_t)(k->o.think + 1)));
}

/* ---- hypercolumn: columns are numbered from the root of a binary tree on, and done from the leaves up ---- */

static int32_t learn(uint32_t column, int32_t left, int32_t right) {
  return (int32_t)(((uint32_t)left * 3 + (uint32_t)right * 5 + column * 7 + 1) % 1009);
}

static int32_t children_of(const struct kernel *k, uint32_t column) {
  return (2 * column + 1 < k->o.size) + (2 * column + 2 < k->o.size);
}

/* Columns come from the queue in such an order that whoever is waited for has been begun. */
static void columns(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  for (;;) {
    uint32_t taken = (uint32_t)work_amo(t, WORK_ADD, k->count, 1, WORK_PLAIN);
    if (taken >= k->o.size) return;
    uint32_t column = k->o.size - 1 - taken;
    int32_t child[2] = {0}, children = children_of(k, column);
    while (children && work_load(t, kernel_spaced(k->lock, column), WORK_DEVICE) != children)
      work_compute(t, KERNEL_PAUSE);
    for (int32_t i = 0; i < children; i++)
      child[i] = work_load(t, kernel_spaced(k->output, 2 * column + 1 + (uint32_t)i), WORK_PLAIN);
    work_unevenly(k, t, column);
    work_store(t, kernel_spaced(k->output, column), learn(column, child[0], child[1]), WORK_PLAIN);
    if (column) work_update(t, WORK_ADD, kernel_spaced(k->lock, (column - 1) / 2), 1, WORK_DEVICE);
  }
}

static void place_columns(struct kernel *k) {
  uint32_t lines = (k->o.size > k->o.threads ? k->o.size : k->o.threads) + 1;
  k->count = work_allocate(k->work, 1);
  k->lock = work_allocate(k->work, lines * WORK_LINE);
  k->output = work_allocate(k->work, lines * WORK_LINE);
}

static const char *check_columns(struct arena *arena, const struct kernel *k) {
  int32_t *right = ARENA_ARRAY(arena, int32_t, 2 * k->o.size + 2);
  for (uint32_t column = k->o.size; column-- > 0;)
    right[column] = learn(column, right[2 * column + 1], right[2 * column + 2]);
  return kernel_compare(arena, k, "column", (struct kernel_words){k->output, WORK_LINE, k->o.size}, right);
}

/* ---- canneal: an element's place is a word, which a swap under way holds as TAKEN ---- */

/* What it would bring: each of them is near to some elements that it is connected with. */
static int64_t cost_of(struct work_thread *t, uint32_t element, uint32_t elements) {
  const struct kernel *k = t->work->program;
  int64_t cost = 0;
  for (uint32_t i = 1; i <= FANS; i++) cost += work_load(t, k->output + (element + i * i) % elements, WORK_PLAIN) % 64;
  return cost;
}

/* Puts a place in an element's word once nobody holds it. Who looked for it by atomic operations
 * alone could keep the mutex from the one who holds the word for ever: FEAR's grants are not fair. */
static int32_t replace(struct work_thread *t, uint32_t word, int32_t place) {
  for (;;) {
    int32_t old = work_load(t, word, WORK_DEVICE);
    if (old != TAKEN && work_cas(t, word, old, place, WORK_DEVICE) == old) return old;
    work_compute(t, KERNEL_PAUSE);
  }
}

/* First takes the lower one, then exchanges its place for the other's. */
static void swap_places(struct work_thread *t, uint32_t a, uint32_t b) {
  const struct kernel *k = t->work->program;
  uint32_t low = k->output + (a < b ? a : b), high = k->output + (a < b ? b : a);
  int32_t first = replace(t, low, TAKEN);
  kernel_think(k, t);
  int32_t second = replace(t, high, first);
  kernel_think(k, t);
  work_amo(t, WORK_SWAP, low, second, WORK_DEVICE);
}

static void anneal(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct kernel_share share = kernel_share(k, t, k->o.size);
  uint64_t seed = k->o.seed * WORK_THREADS + t->index;
  for (uint32_t i = share.from; i < share.end; i++) {
    uint64_t random = splitmix_next(&seed);
    uint32_t a = (uint32_t)(random >> 8) % k->o.range, b = (uint32_t)(random >> 40) % k->o.range;
    if (a == b) continue;
    int64_t gain = cost_of(t, a, k->o.range) - cost_of(t, b, k->o.range);
    kernel_think(k, t);
    if (gain > -64) swap_places(t, a, b);
  }
}

static void place_elements(struct kernel *k) {
  k->output = work_allocate(k->work, k->o.range);
  for (uint32_t i = 0; i < k->o.range && !k->work->out_of_memory; i++) k->work->memory[k->output + i] = (int32_t)i;
}

static const char *check_anneal(struct arena *arena, const struct kernel *k) {
  int32_t *owner = ARENA_ARRAY(arena, int32_t, k->o.range + 1);
  bool moved = false;
  for (uint32_t i = 0; i < k->o.range; i++) {
    int32_t place = k->work->memory[k->output + i];
    if (place < 0 || (uint32_t)place >= k->o.range) return arena_printf(arena, "element %u has no place", i);
    if (owner[place]) return arena_printf(arena, "elements %d and %u share place %d", owner[place] - 1, i, place);
    owner[place] = (int32_t)i + 1;
    moved |= (uint32_t)place != i;
  }
  return moved || k->o.range < 2 ? NULL : "no element has changed its place";
}

/* ---- GPUSort: each thread counts in bins of its own, and its keys have their ranks in them ---- */

static uint32_t bin_of(uint32_t key) {
  return key / (KERNEL_KEYS / BINS);
}

/* Where each thread's keys of each bin begin; each thread adds up some of the bins. */
static void add_up_bins(struct work_thread *t, struct kernel_share own) {
  const struct kernel *k = t->work->program;
  for (uint32_t bin = own.from; bin < own.end; bin++) {
    int32_t sum = 0;
    for (uint32_t thread = 0; thread < k->o.threads; thread++)
      sum += work_load(t, k->bins + thread * BINS + bin, WORK_PLAIN);
    work_store(t, k->queue + bin, sum, WORK_PLAIN);
  }
  work_barrier(t);
  int32_t sum = 0;
  for (uint32_t bin = 0; bin < own.end; bin++) {
    int32_t next = sum + work_load(t, k->queue + bin, WORK_PLAIN);
    if (bin >= own.from) {
      work_store(t, k->image + bin, sum, WORK_PLAIN);
      for (uint32_t thread = 0; thread < k->o.threads; thread++) {
        work_store(t, k->count + thread * BINS + bin, sum, WORK_PLAIN);
        sum += work_load(t, k->bins + thread * BINS + bin, WORK_PLAIN);
      }
    }
    sum = next;
  }
}

/* A bucket that fits is read, sorted by the core alone, and written. */
static void sort_bin(struct work_thread *t, uint32_t at, uint32_t count) {
  enum { FITS = 512, STEP = 4 };
  int32_t keys[FITS];
  if (count > FITS) {
    kernel_sort_bucket(t, at, count);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    int32_t key = work_load(t, at + i, WORK_PLAIN);
    uint32_t j = i;
    for (; j > 0 && keys[j - 1] > key; j--) keys[j] = keys[j - 1];
    keys[j] = key;
  }
  for (uint32_t n = count; n > 1; n /= 2) work_compute(t, (int64_t)count * STEP);
  for (uint32_t i = 0; i < count; i++) work_store(t, at + i, keys[i], WORK_PLAIN);
}

static void buckets(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct kernel_share share = kernel_share(k, t, k->o.size), own = kernel_share(k, t, BINS);
  for (uint32_t i = share.from; i < share.end; i++) {
    uint32_t key = (uint32_t)work_load(t, k->input + i, WORK_PLAIN);
    int32_t rank = work_amo(t, WORK_ADD, k->bins + t->index * BINS + bin_of(key), 1, WORK_PLAIN);
    work_store(t, k->lock + i, rank, WORK_PLAIN);
    kernel_think(k, t);
  }
  work_barrier(t);
  add_up_bins(t, own);
  work_barrier(t);
  for (uint32_t i = share.from; i < share.end; i++) {
    uint32_t key = (uint32_t)work_load(t, k->input + i, WORK_PLAIN);
    int32_t at = work_load(t, k->count + t->index * BINS + bin_of(key), WORK_PLAIN);
    work_store(t, k->output + (uint32_t)(at + work_load(t, k->lock + i, WORK_PLAIN)), (int32_t)key, WORK_PLAIN);
  }
  work_barrier(t);
  for (uint32_t bin = own.from; bin < own.end; bin++) {
    uint32_t from = (uint32_t)work_load(t, k->image + bin, WORK_PLAIN);
    sort_bin(t, k->output + from, (uint32_t)work_load(t, k->queue + bin, WORK_PLAIN));
  }
}

/* ---- threadFenceReduction: parts, and a counter of those that are done ---- */

static void reduce(struct work_thread *t) {
  const struct kernel *k = t->work->program;
  struct kernel_share share = kernel_share(k, t, k->o.size);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    int32_t sum = 0;
    for (uint32_t i = share.from; i < share.end; i++) sum = wrap_add(sum, work_load(t, k->input + i, WORK_PLAIN));
    work_unevenly(k, t, round * WORK_THREADS + t->index);
    work_store(t, kernel_spaced(k->output, t->index), sum, WORK_PLAIN);
    if (work_amo(t, WORK_ADD, k->count + round, 1, WORK_DEVICE) + 1 == (int32_t)k->o.threads) {
      sum = 0;
      for (uint32_t thread = 0; thread < k->o.threads; thread++)
        sum = wrap_add(sum, work_load(t, kernel_spaced(k->output, thread), WORK_PLAIN));
      work_store(t, k->bins + round, sum, WORK_PLAIN);
    }
    work_barrier(t);
  }
}

static const char *check_sum(struct arena *arena, const struct kernel *k) {
  int32_t right[ROUNDS] = {0};
  for (uint32_t i = 0; i < k->o.size; i++) right[0] = wrap_add(right[0], (int32_t)k->keys[i]);
  for (uint32_t round = 1; round < ROUNDS; round++) right[round] = right[0];
  return kernel_compare(arena, k, "sum", (struct kernel_words){k->bins, 1, ROUNDS}, right);
}

/* ---- all of them ---- */

static void place_keys(struct kernel *k) {
  uint32_t lines = (k->o.size > k->o.threads ? k->o.size : k->o.threads) + 1;
  k->keys = keys_uniform(k->arena, k->o.size, KERNEL_KEYS, k->o.seed);
  k->input = work_place(k->work, k->keys, k->o.size);
  k->bins = work_allocate(k->work, k->o.threads * BINS);
  k->count = work_allocate(k->work, k->o.threads * BINS);
  k->queue = work_allocate(k->work, BINS);
  k->image = work_allocate(k->work, BINS);
  k->lock = work_allocate(k->work, k->o.size);
  k->output = work_allocate(k->work, lines > k->o.threads * WORK_LINE ? lines : k->o.threads * WORK_LINE);
}

const struct kernel_code kernel_fear_codes[KERNEL_KINDS] = {
    [KERNEL_FLUID] = {fluid, place_particles, check_fluid},
    [KERNEL_COLUMNS] = {columns, place_columns, check_columns},
    [KERNEL_ANNEAL] = {anneal, place_elements, check_anneal},
    [KERNEL_BUCKETS] = {buckets, place_keys, kernel_check_sorted},
    [KERNEL_REDUCE] = {reduce, place_keys, check_sum}};
