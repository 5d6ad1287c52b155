/* SPDX-License-Identifier: MIT */
/* usage: table MAPPING FILE
 *
 * How far the explorer is from what no explorer can be spared: a table of the
 * states that it visits.  Explores a test on the GPU machine without reductions,
 * then gives the same successors, in the same order, to a bare table (open
 * addressing, states in the slots, fetched ahead, doubled at half full) and to the explorer's
 * own store; successors are made beforehand, a portion at a time, and only the
 * tables are timed.  Prints processor seconds of each and their ratio, medians
 * of RUNS rounds taken in turn, as a machine's speed drifts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "checker/litmus/litmus.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/machines/kinds.h"
#include "hwsem/state_hash_set.h"

enum { RUNS = 3, PORTION = 1 << 16, FANOUT = 256, AHEAD = 32 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *must(void *memory) {
  if (memory) return memory;
  fputs("table: out of memory\n", stderr);
  exit(2);
}

/* The bare table.  A slot is a state in whole words and, in its last byte, whether it is used. */

struct table {
  size_t words, mask, count;
  uint64_t *slots;
};

static uint64_t hash_words(const uint64_t *state, size_t words) {
  __extension__ typedef unsigned __int128 wide;
  uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = 0; i < words; i++) {
    wide product = (wide)(hash ^ state[i]) * UINT64_C(0xa0761d6478bd642f);
    hash = (uint64_t)product ^ (uint64_t)(product >> 64);
  }
  return hash;
}

static uint64_t *find(const struct table *t, const uint64_t *state, uint64_t hash) {
  for (size_t i = hash & t->mask;; i = (i + 1) & t->mask) {
    uint64_t *slot = t->slots + i * t->words;
    if (!slot[t->words - 1] || memcmp(slot, state, t->words * sizeof *slot) == 0) return slot;
  }
}

static void grow(struct table *t) {
  struct table old = *t;
  size_t room = t->slots ? 2 * (t->mask + 1) : 1 << 12, bytes = room * t->words * sizeof *t->slots;
  size_t page = bytes >= 1 << 21 ? 1 << 21 : 4096;
  t->slots = must(aligned_alloc(page, (bytes + page - 1) / page * page));
  madvise(t->slots, bytes, MADV_HUGEPAGE);
  memset(t->slots, 0, bytes);
  t->mask = room - 1;
  for (size_t i = 0; old.slots && i <= old.mask; i++) {
    const uint64_t *state = old.slots + i * t->words;
    if (state[t->words - 1]) memcpy(find(t, state, hash_words(state, t->words)), state, t->words * sizeof *state);
  }
  free(old.slots);
}

static bool add(struct table *t, const uint64_t *state, uint64_t hash) {
  if (!t->slots || 2 * t->count > t->mask) grow(t);
  uint64_t *slot = find(t, state, hash);
  if (slot[t->words - 1]) return false;
  memcpy(slot, state, t->words * sizeof *slot);
  t->count++;
  return true;
}

/* Successors, gathered. */

struct gathered {
  struct successor_sink sink;
  const struct machine *machine;
  size_t words, count;
  uint64_t *states;
};

static bool gather(struct successor_sink *sink, struct step step, const void *next) {
  struct gathered *g = (struct gathered *)sink;
  uint64_t *to = g->states + g->count++ * g->words;
  (void)step;
  to[g->words - 1] = 0;
  memcpy(to, next, g->machine->state_size);
  ((uint8_t *)(to + g->words))[-1] = 1;
  return g->count < PORTION + FANOUT;
}

struct rounds {
  double explorer[RUNS], bare[RUNS], store[RUNS];
};

static double time_table(struct table *t, const struct gathered *g, bool *fresh) {
  uint64_t hashes[AHEAD] = {0};
  double start = now();
  for (size_t i = 0; i < g->count + AHEAD; i++) {
    if (i >= AHEAD) fresh[i - AHEAD] = add(t, g->states + (i - AHEAD) * g->words, hashes[i % AHEAD]);
    if (i >= g->count) continue;
    hashes[i % AHEAD] = hash_words(g->states + i * g->words, g->words);
    if (t->slots) __builtin_prefetch(t->slots + (hashes[i % AHEAD] & t->mask) * g->words);
  }
  return now() - start;
}

static double time_store(struct store *store, const struct gathered *g, uint64_t *hashes, uint32_t *indices) {
  double start = now();
  struct store_batch all = {.states = g->states, .hashes = hashes, .count = (uint32_t)g->count};
  for (size_t i = 0; i < g->count; i++) hashes[i] = store_hash(store, g->states + i * g->words);
  if (!store_add(store, &all, indices)) must(NULL);
  return now() - start;
}

/* Visits what the explorer visits, in its order; the bare table says what is new. */
static void time_tables(const struct machine *m, struct rounds *rounds, unsigned round) {
  size_t words = m->state_size / 8 + 1, room = 1 << 16, count = 0;
  struct gathered g = {{.emit = gather}, m, words, 0, must(malloc((PORTION + FANOUT) * words * 8))};
  struct table table = {.words = words};
  struct store store;
  uint64_t *queue = must(malloc(room * words * 8));
  bool *fresh = must(malloc(PORTION + FANOUT));
  uint64_t *hashes = must(malloc((PORTION + FANOUT) * sizeof *hashes));
  uint32_t *indices = must(malloc((PORTION + FANOUT) * sizeof *indices));
  store_init(&store);
  must(store_reset(&store, m->state_size, NULL) ? &store : NULL);
  store.stride = words * sizeof(uint64_t); /* as they are gathered */
  uint64_t first[words];
  memset(first, 0, sizeof first);
  m->initial(m, first);
  gather(&g.sink, (struct step){0}, first);
  for (size_t next = 0;;) {
    while (next < count && g.count < PORTION) m->successors(m, queue + next++ * words, &g.sink);
    if (g.count == 0) break;
    rounds->bare[round] += time_table(&table, &g, fresh);
    rounds->store[round] += time_store(&store, &g, hashes, indices);
    for (size_t i = 0; i < g.count; i++) {
      if (!fresh[i]) continue;
      if (count == room) queue = must(realloc(queue, (room *= 2) * words * 8));
      memcpy(queue + count++ * words, g.states + i * words, words * 8);
    }
    g.count = 0;
  }
  if (store.count != count) must(NULL);
  store_free(&store);
  free(table.slots);
  free(queue);
  free(fresh);
  free(hashes);
  free(indices);
  free(g.states);
}

static int compare(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static double median(double *values) {
  qsort(values, RUNS, sizeof *values, compare);
  return values[RUNS / 2];
}

static void print(const char *name, const struct exploration *found, struct rounds *r) {
  double ratio[RUNS];
  for (unsigned i = 0; i < RUNS; i++) ratio[i] = r->explorer[i] / r->bare[i];
  printf("%s states %llu transitions %llu explorer %.2f bare %.2f ratio %.2f store %.2f\n", name,
         (unsigned long long)found->stats.states, (unsigned long long)found->stats.transitions, median(r->explorer),
         median(r->bare), median(ratio), median(r->store));
}

static int measure(struct arena *arena, const char *mapping_name, const char *path, struct diags *diags) {
  static const char *const folders[] = {"mappings"};
  static const struct litmus_options reading = {.cas_keeps_expected = true};
  const struct xml_folders search = {folders, 1};
  const struct source *source = source_read(arena, path, diags);
  const struct mapping *mapping = mapping_load(arena, mapping_name, &search, diags);
  const struct litmus_test *test = source && mapping ? litmus_parse(arena, source, &reading, diags) : NULL;
  if (!test) return 2;
  struct gpu_knobs knobs = {0};
  struct target target = {.name = mapping_name, .kind = &gpu_kind, .settings = &knobs, .mapping = mapping};
  struct explore_options options = {0};
  struct rounds rounds = {0};
  struct machine machine;
  struct exploration found;
  for (unsigned i = 0; i < RUNS; i++) {
    struct explorer *explorer = explorer_new();
    struct explore_request request = {test->program, test->observables, test->observable_count,
                                      explorer,      &options,          arena};
    double start = now();
    if (!target_explore(&target, &request, &machine, &found, diags)) return 2;
    rounds.explorer[i] = now() - start;
    explorer_free(explorer);
    time_tables(&machine, &rounds, i);
  }
  print(test->name, &found, &rounds);
  return 0;
}

int main(int count, char **arguments) {
  if (count != 3) return fputs("usage: table MAPPING FILE\n", stderr), 2;
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  int status = measure(arena, arguments[1], arguments[2], &diags);
  diags_print(&diags, stderr);
  arena_free(arena);
  return status;
}
