/* SPDX-License-Identifier: MIT */
/* Programs for the mesh of atomics. The sharing patterns are rows of one table: which
 * nodes run one, and the letters of what each does when its turn comes. */
#include "hwsem/timing/amo_patterns.h"

#include "checker/base/array.h"
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
const size_t amo_case_count = ARRAY_COUNT(amo_cases);

int64_t amo_case_latency(const struct amo_parameters *parameters, const struct amo_case *what, int64_t *events) {
  struct arena *arena = arena_new();
  struct amo_machine *machine = amo_machine_new(arena, parameters, what->far ? AMO_ALL_FAR : AMO_ALL_NEAR);
  struct amo_instr instr = {.op = what->op, .line = LINE};
  if (what->own != AMO_I) amo_place_line(machine, FIRST, LINE, what->own, AMO_IN_L1);
  if (what->other != AMO_I) amo_place_line(machine, SECOND, LINE, what->other, AMO_IN_L1);
  if (what->buffered) amo_buffer_line(machine, LINE);
  amo_set_program(machine, FIRST, &instr, 1);
  struct cost_limit none = {0};
  struct amo_result result = amo_run(machine, -1, &none);
  arena_free(arena);
  *events += result.events;
  return what->op == AMO_LOAD ? result.finish : result.finish - parameters->iss;
}

int64_t amo_throughput(const struct amo_parameters *parameters, const struct amo_loop *loop, struct cost_limit *limit,
                       int64_t *events) {
  struct arena *arena = arena_new();
  struct amo_machine *machine = amo_machine_new(arena, parameters, loop->policy);
  const struct amo_instr code[] = {{.op = loop->op, .line = LINE}, {.op = AMO_LOOP}};
  for (int node = 0; node < loop->threads; node++) amo_set_program(machine, node, code, 2);
  struct amo_result result = amo_run(machine, loop->until, limit);
  arena_free(arena);
  *events += result.events;
  return result.performed;
}

/* A sharing pattern: who runs it, and what a thread does in its turn.  Turns go
 * round: those of a round to each thread once.
 *   l s     load, store       u   atomic update
 *   f       atomic fetch      U   a burst of updates
 *   c       compute           !   the next one's turn
 * Histograms take no turns: an update of a bin, which is cold (shared by all) or
 * hot (each core its own), then four reads of own data. */
static const struct pattern {
  const char *first, *others; /* thread 0's turn, and that of the rest; NULL: a histogram */
  bool spins;                 /* waits for its turn by loads of the line */
  int cold;                   /* histograms: quarters of the bins that are cold */
  int count, nodes[PATTERN_THREADS];
} patterns[] = {
    [PATTERN_BURST] = {"U!", "U!", false, 0, 2, {FIRST, SECOND}},
    [PATTERN_LDAMO] = {"lu!", "lu!", false, 0, 2, {FIRST, SECOND}},
    [PATTERN_PRODCONS] = {"us!", "l!", false, 0, 2, {FIRST, SECOND}},
    [PATTERN_FLAG] = {"u!", "l!", false, 0, 2, {FIRST, SECOND}},
    /* Lock, read and write next to the lock, compute, and again, unlock. */
    [PATTERN_MUTEX1] = {"lflssclssf!", NULL, false, 0, 1, {FIRST}},
    [PATTERN_MUTEX2] = {"lflssclssf!", "lflssclssf!", false, 0, 2, {FIRST, SECOND}},
    [PATTERN_MUTEX4] = {"lflssclssf!", "lflssclssf!", false, 0, 4, {0, 12, 18, 31}},
    [PATTERN_TTAS4] = {"fcu!", "fcu!", true, 0, 4, {0, 1, 2, 3}},
    [PATTERN_HIST_COLD] = {NULL, NULL, false, 4, 4, {0, 1, 2, 3}},
    [PATTERN_HIST_MIX] = {NULL, NULL, false, 2, 4, {0, 1, 2, 3}},
    [PATTERN_HIST_HOT] = {NULL, NULL, false, 0, 4, {0, 1, 2, 3}},
};
struct writer {
  struct arena *arena;
  VEC(struct amo_instr) code;
  int64_t rounds, burst;
};

static void put(struct writer *w, enum amo_op op, int64_t line, int64_t value) {
  *vec_push(w->arena, &w->code) = (struct amo_instr){op, (int32_t)line, value};
}

static void write_letter(struct writer *w, char letter) {
  static const struct {
    char letter;
    enum amo_op op;
  } letters[] = {{'l', AMO_LOAD},  {'s', AMO_STORE},   {'u', AMO_UPDATE},
                 {'f', AMO_FETCH}, {'c', AMO_COMPUTE}, {'!', AMO_SIGNAL}};
  enum { CYCLES = 50 }; /* of computing */
  for (int64_t i = 0; letter == 'U' && i < w->burst; i++) put(w, AMO_UPDATE, LINE, 0);
  for (size_t i = 0; i < ARRAY_COUNT(letters); i++)
    if (letters[i].letter == letter) put(w, letters[i].op, LINE, CYCLES);
}

static void write_turn(struct writer *w, const struct pattern *pattern, int thread, int64_t round) {
  put(w, pattern->spins ? AMO_SPIN : AMO_WAIT, pattern->spins ? LINE : 0, pattern->count * round + thread);
  for (const char *at = thread ? pattern->others : pattern->first; *at; at++) write_letter(w, *at);
}

static int64_t cold_line(uint64_t random) {
  return (1 << 16) + (int64_t)((random >> 8) % 4096);
}
static int64_t hot_line(int thread, uint64_t random) {
  return (1 << 20) + 1024 * thread + (int64_t)((random >> 8) % 16);
}

/* The two highest bits of a random number choose the bin's kind, the rest the bin. */
static void write_histogram(struct writer *w, const struct pattern *pattern, int thread, int64_t round,
                            uint64_t random) {
  bool cold = (int)(random >> 62 ^ 3) < pattern->cold;
  put(w, AMO_UPDATE, cold ? cold_line(random) : hot_line(thread, random), 0);
  for (int64_t j = 0; j < 4; j++) put(w, AMO_LOAD, (1 << 24) + 4096 * thread + (4 * round + j) % 48, 0);
}

struct amo_programs amo_write_pattern(struct arena *arena, enum amo_pattern pattern, int64_t rounds, int64_t burst) {
  const struct pattern *chosen = &patterns[pattern];
  struct amo_programs programs = {.count = chosen->count};
  for (int thread = 0; thread < chosen->count; thread++) {
    struct writer w = {.arena = arena, .rounds = rounds, .burst = burst};
    uint64_t seed = 7 + (uint64_t)thread;
    for (int64_t round = 0; round < rounds; round++) {
      if (chosen->first)
        write_turn(&w, chosen, thread, round);
      else
        write_histogram(&w, chosen, thread, round, splitmix_next(&seed));
    }
    programs.at[thread] = (struct amo_pattern_program){chosen->nodes[thread], w.code.at, w.code.count};
  }
  return programs;
}

struct amo_result amo_run_programs(const struct amo_parameters *parameters, enum amo_policy policy,
                                   const struct amo_programs *programs, struct cost_limit *limit) {
  struct arena *arena = arena_new();
  struct amo_machine *machine = amo_machine_new(arena, parameters, policy);
  for (int i = 0; i < programs->count; i++)
    amo_set_program(machine, programs->at[i].node, programs->at[i].instrs, programs->at[i].count);
  struct amo_result result = amo_run(machine, -1, limit);
  arena_free(arena);
  return result;
}
