/* SPDX-License-Identifier: MIT */
/* Each sharing pattern is a function that writes one core's program. */
#include "hwsem/timing/patterns.h"

#include <string.h>

#include "checker/base/vec.h"
#include "hwsem/timing/splitmix.h"

/* The line and the nodes of the reference numbers: the line's home is three
 * hops from the first node and one from the second. */
enum { LINE = 17, FIRST = 12, SECOND = 18 };

const struct amo_case amo_cases[] = {
    {"near, L1 unique", AMO_UPDATE, false, AMO_UD, AMO_I, false},
    {"near, miss, line in LLC", AMO_UPDATE, false, AMO_I, AMO_I, false},
    {"near, miss, other owns UD", AMO_UPDATE, false, AMO_I, AMO_UD, false},
    {"near, own SC, other SD", AMO_UPDATE, false, AMO_SC, AMO_SD, false},
    {"near, own SD, other SC", AMO_UPDATE, false, AMO_SD, AMO_SC, false},
    {"load miss, line in LLC", AMO_LOAD, false, AMO_I, AMO_I, false},
    {"load miss, other owns UD", AMO_LOAD, false, AMO_I, AMO_UD, false},
    {"load miss, AMO-buffer hit", AMO_LOAD, false, AMO_I, AMO_I, true},
    {"far AtomicStore, line in LLC", AMO_UPDATE, true, AMO_I, AMO_I, false},
    {"far AtomicLoad, line in LLC", AMO_FETCH, true, AMO_I, AMO_I, false},
    {"far AtomicStore, AMO-buffer hit", AMO_UPDATE, true, AMO_I, AMO_I, true},
    {"far AtomicLoad, AMO-buffer hit", AMO_FETCH, true, AMO_I, AMO_I, true},
    {"far AtomicStore, other owns UD", AMO_UPDATE, true, AMO_I, AMO_UD, false},
    {"far AtomicLoad, other owns UD", AMO_FETCH, true, AMO_I, AMO_UD, false},
    {"far AtomicStore, own UD", AMO_UPDATE, true, AMO_UD, AMO_I, false},
    {"far AtomicStore, own SC and other SD", AMO_UPDATE, true, AMO_SC, AMO_SD, false},
};
const size_t amo_case_count = sizeof amo_cases / sizeof *amo_cases;

int64_t amo_case_latency(const struct amo_parameters *parameters, const struct amo_case *what) {
  struct arena *arena = arena_new();
  struct amo_machine *machine = amo_machine_new(arena, parameters, what->far ? AMO_ALL_FAR : AMO_ALL_NEAR);
  struct amo_instr instr = {.op = what->op, .line = LINE};
  if (what->own != AMO_I) amo_place_line(machine, FIRST, LINE, what->own, AMO_IN_L1);
  if (what->other != AMO_I) amo_place_line(machine, SECOND, LINE, what->other, AMO_IN_L1);
  if (what->buffered) amo_buffer_line(machine, LINE);
  amo_set_program(machine, FIRST, &instr, 1);
  struct cost_limit none = {0};
  int64_t finish = amo_run(machine, -1, &none).finish;
  arena_free(arena);
  return what->op == AMO_LOAD ? finish : finish - parameters->iss;
}

int64_t amo_throughput(const struct amo_parameters *parameters, enum amo_policy policy, enum amo_op op, int threads,
                       int64_t until, struct cost_limit *limit) {
  struct arena *arena = arena_new();
  struct amo_machine *machine = amo_machine_new(arena, parameters, policy);
  const struct amo_instr loop[] = {{.op = op, .line = LINE}, {.op = AMO_LOOP}};
  for (int node = 0; node < threads; node++) amo_set_program(machine, node, loop, 2);
  int64_t performed = amo_run(machine, until, limit).performed;
  arena_free(arena);
  return performed;
}

struct writer {
  struct arena *arena;
  VEC(struct amo_instr) code;
  int64_t rounds, burst;
};

static void put(struct writer *w, enum amo_op op, int64_t line, int64_t value) {
  *vec_push(w->arena, &w->code) = (struct amo_instr){op, line, value};
}

static void put_all(struct writer *w, const enum amo_op *ops, size_t count) {
  for (size_t i = 0; i < count; i++) put(w, ops[i], LINE, 50);
}
#define PUT(w, ...) \
  put_all((w), (const enum amo_op[]){__VA_ARGS__}, sizeof((const enum amo_op[]){__VA_ARGS__}) / sizeof(enum amo_op))

static void write_burst(struct writer *w, int thread, int64_t round) {
  put(w, AMO_WAIT, 0, 2 * round + thread);
  for (int64_t i = 0; i < w->burst; i++) put(w, AMO_UPDATE, LINE, 0);
  PUT(w, AMO_SIGNAL);
}

static void write_load_update(struct writer *w, int thread, int64_t round) {
  put(w, AMO_WAIT, 0, 2 * round + thread);
  PUT(w, AMO_LOAD, AMO_UPDATE, AMO_SIGNAL);
}

static void write_producer(struct writer *w, int thread, int64_t round) {
  put(w, AMO_WAIT, 0, 2 * round + thread);
  if (thread == 0)
    PUT(w, AMO_UPDATE, AMO_STORE, AMO_SIGNAL);
  else
    PUT(w, AMO_LOAD, AMO_SIGNAL);
}

static void write_flag(struct writer *w, int thread, int64_t round) {
  put(w, AMO_WAIT, 0, 2 * round + thread);
  if (thread == 0)
    PUT(w, AMO_UPDATE, AMO_SIGNAL);
  else
    PUT(w, AMO_LOAD, AMO_SIGNAL);
}

/* Lock, read and write beside the lock, compute, and again, unlock. */
static void write_mutex(struct writer *w, int64_t turn) {
  put(w, AMO_WAIT, 0, turn);
  PUT(w, AMO_LOAD, AMO_FETCH, AMO_LOAD, AMO_STORE, AMO_STORE, AMO_COMPUTE, AMO_LOAD, AMO_STORE, AMO_STORE, AMO_FETCH,
      AMO_SIGNAL);
}

static void write_mutex1(struct writer *w, int thread, int64_t round) {
  write_mutex(w, round + thread);
}
static void write_mutex2(struct writer *w, int thread, int64_t round) {
  write_mutex(w, 2 * round + thread);
}
static void write_mutex4(struct writer *w, int thread, int64_t round) {
  write_mutex(w, 4 * round + thread);
}

static void write_ttas(struct writer *w, int thread, int64_t round) {
  put(w, AMO_SPIN, LINE, 4 * round + thread);
  PUT(w, AMO_FETCH, AMO_COMPUTE, AMO_UPDATE, AMO_SIGNAL);
}

static int64_t cold_line(uint64_t random) {
  return (1 << 16) + (int64_t)((random >> 8) % 4096);
}
static int64_t hot_line(int thread, uint64_t random) {
  return (1 << 20) + 1024 * thread + (int64_t)((random >> 8) % 16);
}

/* One round of a histogram: an update of a bin, then four reads of own data. */
static void write_histogram(struct writer *w, int thread, int64_t round, int64_t bin) {
  put(w, AMO_UPDATE, bin, 0);
  for (int64_t j = 0; j < 4; j++) put(w, AMO_LOAD, (1 << 24) + 4096 * thread + (4 * round + j) % 48, 0);
}

static void write_round(struct writer *w, int pattern, int thread, int64_t round, uint64_t *seed) {
  static void (*const writers[])(struct writer *, int, int64_t) = {
      write_burst, write_load_update, write_producer, write_flag, write_mutex1, write_mutex2, write_mutex4, write_ttas};
  enum { HISTOGRAMS = sizeof writers / sizeof *writers };
  if (pattern < HISTOGRAMS) {
    writers[pattern](w, thread, round);
    return;
  }
  uint64_t random = splitmix_next(seed);
  bool cold = pattern == HISTOGRAMS || (pattern == HISTOGRAMS + 1 && random >> 63);
  write_histogram(w, thread, round, cold ? cold_line(random) : hot_line(thread, random));
}

const char *const amo_pattern_names[] = {"burst",  "ldamo", "prodcons",  "flag",     "mutex1",   "mutex2",
                                         "mutex4", "ttas4", "hist-cold", "hist-mix", "hist-hot", NULL};

/* The nodes that run a pattern. */
static int nodes_of(int pattern, int nodes[4]) {
  static const int pair[] = {FIRST, SECOND}, corners[] = {0, 12, 18, 31}, row[] = {0, 1, 2, 3};
  const char *name = amo_pattern_names[pattern];
  bool four = strcmp(name, "mutex4") == 0, in_row = name[0] == 't' || name[0] == 'h';
  memcpy(nodes, in_row ? row : four ? corners : pair, (in_row || four ? 4 : 2) * sizeof *nodes);
  return in_row || four ? 4 : strcmp(name, "mutex1") == 0 ? 1 : 2;
}

struct amo_result amo_run_pattern(const struct amo_parameters *parameters, enum amo_policy policy, int pattern,
                                  int64_t rounds, int64_t burst, struct cost_limit *limit) {
  struct arena *arena = arena_new();
  struct amo_machine *machine = amo_machine_new(arena, parameters, policy);
  int nodes[4], count = nodes_of(pattern, nodes);
  for (int thread = 0; thread < count; thread++) {
    struct writer w = {.arena = arena, .rounds = rounds, .burst = burst};
    uint64_t seed = 7 + (uint64_t)thread;
    for (int64_t round = 0; round < rounds; round++) write_round(&w, pattern, thread, round, &seed);
    amo_set_program(machine, nodes[thread], w.code.at, w.code.count);
  }
  struct amo_result result = amo_run(machine, -1, limit);
  arena_free(arena);
  return result;
}
