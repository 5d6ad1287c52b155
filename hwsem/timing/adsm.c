/* SPDX-License-Identifier: MIT */
/* What an access pattern moves: each pattern walks the units of its object
 * through the protocols' edges and adds up; see adsm.h. A test's runs are
 * priced by the same edges, visited along a shortest run for each outcome. */
#include "hwsem/timing/adsm.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/guard.h"

/* ---- Prices -------------------------------------------------------------- */

int64_t adsm_cost_time(const struct adsm_cost *cost) {
  return cost->fault_time + cost->up_time + cost->down_time + cost->host_time;
}

int64_t adsm_transfer_time(const struct adsm_parameters *p, bool up, int64_t bytes) {
  return p->latency + (bytes + p->half) * 1000 / (up ? p->up : p->down);
}

int64_t adsm_produce_time(const struct adsm_parameters *p, int64_t bytes) {
  return bytes * p->produce / 1024;
}

/* Levels of a balanced tree: the logarithm, rounded up. */
static int64_t levels(int64_t blocks) {
  int64_t count = 0;
  while (count < 62 && INT64_C(1) << count < blocks) count++;
  return count;
}

int64_t adsm_fault_time(const struct adsm_parameters *p, int64_t blocks) {
  return p->fault + p->search * levels(blocks);
}

/* What an edge costs.  `hidden`: the time in which the host produces the next
 * block, beside which an eviction runs. */
static void pay(struct adsm_cost *cost, const struct adsm_parameters *p, struct adsm_edge edge, int64_t bytes,
                int64_t blocks, int64_t hidden) {
  if (edge.fault) {
    cost->faults++;
    cost->fault_time += adsm_fault_time(p, blocks);
  }
  if (edge.transfer == ADSM_STAY) return;
  bool up = edge.transfer == ADSM_UP;
  int64_t time = adsm_transfer_time(p, up, bytes);
  *(up ? &cost->up : &cost->down) += bytes;
  *(up ? &cost->up_time : &cost->down_time) += time > hidden ? time - hidden : 0;
}

/* ---- The host's runtime -------------------------------------------------- */

/* Units of all objects lie behind one another; those that are dirty under
 * rolling-update form a list in the order in which they became so. */
struct runtime {
  const struct adsm_parameters *p;
  enum adsm_protocol protocol;
  int64_t objects, per_object, unit_size, last_size;
  unsigned char *state;
  int64_t *next; /* the dirty unit after this one */
  int64_t oldest, newest, dirty, most;
  int64_t rate; /* ns to produce 1024 bytes of what is being written */
  struct adsm_cost cost;
};

enum { NONE = -1 };

static struct runtime runtime_new(const struct adsm_parameters *p, enum adsm_protocol protocol, int64_t objects) {
  int64_t size = protocol == ADSM_ROLLING && p->B < p->s ? p->B : p->s;
  struct runtime r = {.p = p, .protocol = protocol, .objects = objects, .unit_size = size, .rate = p->produce};
  r.per_object = (p->s + size - 1) / size;
  r.last_size = p->s - (r.per_object - 1) * size;
  r.most = p->R ? p->R : 2 * objects;
  size_t units = (size_t)(objects * r.per_object);
  r.state = malloc(units);
  r.next = calloc(units, sizeof *r.next);
  if (!r.state || !r.next) {
    free(r.state);
    free(r.next);
    guard_out_of_memory();
  }
  for (size_t u = 0; u < units; u++) r.state[u] = (unsigned char)adsm_initial_state(protocol);
  r.oldest = r.newest = NONE;
  return r;
}

static struct adsm_cost runtime_end(struct runtime *r) {
  free(r->state);
  free(r->next);
  return r->cost;
}

static int64_t size_of(const struct runtime *r, int64_t u) {
  return u % r->per_object == r->per_object - 1 ? r->last_size : r->unit_size;
}

static int64_t produce_time(const struct runtime *r, int64_t bytes) {
  return bytes * r->rate / 1024;
}

static void follow(struct runtime *r, int64_t u, enum adsm_event event) {
  struct adsm_edge edge = adsm_edge(r->protocol, r->state[u], event);
  r->state[u] = (unsigned char)edge.next;
  int64_t hidden = event == ADSM_EVICT ? produce_time(r, r->unit_size) : 0;
  pay(&r->cost, r->p, edge, size_of(r, u), r->objects * r->per_object, hidden);
}

/* A block has become dirty; the oldest goes when there are too many. */
static void roll(struct runtime *r, int64_t u) {
  if (r->oldest == NONE)
    r->oldest = u;
  else
    r->next[r->newest] = u;
  r->newest = u;
  r->next[u] = NONE;
  if (++r->dirty <= r->most) return;
  int64_t oldest = r->oldest;
  r->oldest = r->next[oldest];
  r->dirty--;
  follow(r, oldest, ADSM_EVICT);
}

static void touch(struct runtime *r, int64_t u, enum adsm_event event) {
  bool dirty = r->state[u] == ADSM_DIRTY;
  follow(r, u, event);
  if (r->protocol == ADSM_ROLLING && !dirty && r->state[u] == ADSM_DIRTY) roll(r, u);
}

/* The unit of an object that holds a byte. */
static int64_t unit_at(const struct runtime *r, int64_t object, int64_t byte) {
  return object * r->per_object + byte / r->unit_size;
}

/* A whole object, in order. */
static void sweep(struct runtime *r, int64_t object, enum adsm_event event) {
  for (int64_t i = 0; i < r->per_object; i++) touch(r, object * r->per_object + i, event);
  if (event == ADSM_WRITE) r->cost.host_time += produce_time(r, r->p->s);
}

static void call(struct runtime *r) {
  for (int64_t u = 0; u < r->objects * r->per_object; u++) follow(r, u, ADSM_CALL);
  r->oldest = r->newest = NONE;
  r->dirty = 0;
}

static void sync_host(struct runtime *r) {
  for (int64_t u = 0; u < r->objects * r->per_object; u++) follow(r, u, ADSM_SYNC);
}

/* ---- Patterns ------------------------------------------------------------ */

static void vector_add(struct runtime *r) {
  sweep(r, 0, ADSM_WRITE);
  sweep(r, 1, ADSM_WRITE);
  call(r);
  sync_host(r);
  sweep(r, 2, ADSM_READ);
}

/* What came before a window is not counted. */
static void forget(struct runtime *r) {
  r->cost = (struct adsm_cost){0};
}

static void stencil_step(struct runtime *r) {
  sync_host(r);
  touch(r, unit_at(r, 0, r->p->s / 2), ADSM_WRITE);
  call(r);
}

static void one_step(struct runtime *r) {
  call(r);
  forget(r);
  stencil_step(r);
}

static void stencil(struct runtime *r) {
  sweep(r, 0, ADSM_WRITE);
  call(r);
  for (int64_t i = 0; i < r->p->T; i++) stencil_step(r);
  sync_host(r);
}

static void stencil_dump(struct runtime *r) {
  stencil(r);
  sweep(r, 0, ADSM_READ);
}

/* Input comes in chunks of a block, each a sequence of writes. */
static void file_input(struct runtime *r) {
  r->rate = r->p->input;
  sweep(r, 0, ADSM_WRITE);
  call(r);
  sync_host(r);
}

/* `m` blocks of B bytes, evenly spaced; or as many as there are. */
static void sparse(struct runtime *r, enum adsm_event event) {
  int64_t blocks = (r->p->s + r->p->B - 1) / r->p->B;
  int64_t touched = r->p->m < blocks ? r->p->m : blocks;
  call(r);
  forget(r);
  sync_host(r);
  for (int64_t i = 0; i < touched; i++) touch(r, unit_at(r, 0, i * blocks / touched * r->p->B), event);
  call(r);
}

static void sparse_read(struct runtime *r) {
  sparse(r, ADSM_READ);
}
static void sparse_write(struct runtime *r) {
  sparse(r, ADSM_WRITE);
}

static void multi_pass(struct runtime *r) {
  for (int64_t i = 0; i < r->p->p; i++) sweep(r, 0, ADSM_WRITE);
  call(r);
  sync_host(r);
}

static void constant_input(struct runtime *r) {
  sweep(r, 0, ADSM_WRITE);
  for (int64_t i = 0; i < r->p->T; i++) {
    call(r);
    sync_host(r);
  }
}

static void read_back(struct runtime *r) {
  sweep(r, 0, ADSM_WRITE);
  call(r);
  forget(r);
  sync_host(r);
  sweep(r, 0, ADSM_READ);
}

static const struct {
  const char *name, *title;
  int64_t objects;
  void (*run)(struct runtime *r);
} patterns[ADSM_PATTERNS] = {
    [ADSM_VECTOR_ADD] = {"vector-add", "two inputs of s written, call, output of s read", 3, vector_add},
    [ADSM_STENCIL_STEP] = {"stencil-step", "two volumes of s, one cell set by the host, call", 2, one_step},
    [ADSM_STENCIL] = {"stencil", "a volume written, call, T such steps", 2, stencil},
    [ADSM_STENCIL_DUMP] = {"stencil-dump", "the same, and the volume read at the end", 2, stencil_dump},
    [ADSM_FILE_INPUT] = {"file-input", "s bytes read from a file, call", 1, file_input},
    [ADSM_SPARSE_READ] = {"sparse-read", "m distinct blocks read between calls", 1, sparse_read},
    [ADSM_SPARSE_WRITE] = {"sparse-write", "m distinct blocks written between calls", 1, sparse_write},
    [ADSM_MULTI_PASS] = {"multi-pass", "p passes of writes over s, call", 1, multi_pass},
    [ADSM_CONSTANT_INPUT] = {"constant-input", "s bytes written once, T calls", 1, constant_input},
    [ADSM_READ_BACK] = {"read-back", "an input that the kernel did not write is read", 1, read_back},
};

const char *adsm_pattern_name(enum adsm_pattern pattern) {
  return patterns[pattern].name;
}
const char *adsm_pattern_title(enum adsm_pattern pattern) {
  return patterns[pattern].title;
}

struct adsm_cost adsm_pattern_cost(const struct adsm_parameters *p, enum adsm_pattern pattern,
                                   enum adsm_protocol protocol) {
  struct runtime r = runtime_new(p, protocol, patterns[pattern].objects);
  patterns[pattern].run(&r);
  return runtime_end(&r);
}

/* ---- Litmus tests -------------------------------------------------------- */

struct pricing {
  const struct adsm_parameters *p;
  int64_t blocks;
  struct adsm_cost cost;
};

static void price_edge(void *context, struct adsm_edge edge, enum adsm_event event, unsigned cells) {
  struct pricing *pricing = context;
  int64_t bytes = cells * pricing->p->cell;
  int64_t hidden = event == ADSM_EVICT ? adsm_produce_time(pricing->p, bytes) : 0;
  pay(&pricing->cost, pricing->p, edge, bytes, pricing->blocks, hidden);
}

static struct adsm_cost price_run(struct arena *arena, const struct adsm_parameters *p, struct explorer *explorer,
                                  const struct machine *machine, uint32_t state) {
  struct pricing pricing = {.p = p, .blocks = adsm_machine_units(machine)};
  struct adsm_visitor visitor = {price_edge, &pricing};
  struct explore_step *trace;
  size_t length = explore_trace(explorer, state, arena, &trace);
  for (size_t i = 0; i < length; i++) adsm_visit_step(machine, trace[i].step, trace[i].before, &visitor);
  return pricing.cost;
}

static int by_values(const void *a, const void *b, void *width) {
  return outcome_compare(((const struct adsm_run *)a)->values, ((const struct adsm_run *)b)->values,
                         *(const unsigned *)width);
}

bool adsm_program_costs(struct arena *arena, const struct adsm_parameters *p, const struct program *program,
                        const struct observable *observables, unsigned observable_count,
                        const struct adsm_machine_options *options, const struct explore_options *limits,
                        struct adsm_runs *runs, struct diags *diags) {
  struct adsm_machine_options counting = *options;
  counting.count = true;
  const struct machine *machine = adsm_machine_new(arena, program, observables, observable_count, &counting, diags);
  if (!machine) return false;
  struct explorer *explorer = explorer_new();
  struct exploration found;
  explore(explorer, machine, limits, &found);
  *runs = (struct adsm_runs){ARENA_ARRAY(arena, struct adsm_run, found.outcome_count + 1), found.outcome_count,
                             explore_end_text(found.end)};
  unsigned width = machine->observable_count;
  for (size_t i = 0; i < found.outcome_count; i++) {
    int64_t *values = ARENA_ARRAY(arena, int64_t, width);
    memcpy(values, found.outcomes[i].values, width * sizeof *values);
    runs->at[i] = (struct adsm_run){values, price_run(arena, p, explorer, machine, found.outcomes[i].state)};
  }
  if (runs->count) qsort_r(runs->at, runs->count, sizeof *runs->at, by_values, &width);
  explorer_free(explorer);
  return true;
}

/* ---- Parameters ---------------------------------------------------------- */

/* No sum overflows 64 bits: a run does at most WORK_LIMIT (2^26) transfers, each
 * of at most 2^36 bytes, and moves at most 2^46 bytes in all. */
enum { BLOCKS_LIMIT = 1 << 20, REPEATS_LIMIT = 1 << 10, WORK_LIMIT = 1 << 26, HALF_LIMIT = 1 << 24 };
static const int64_t BYTES_LIMIT = INT64_C(1) << 36;
static const int64_t TIME_LIMIT = 1000000000, RATE_LIMIT = 1000000;

struct range {
  const char *name;
  int64_t value, low, high;
};

const char *adsm_parameters_check(struct arena *arena, const struct adsm_parameters *p) {
  const struct range ranges[] = {
      {"latency", p->latency, 0, TIME_LIMIT}, {"up", p->up, 1, 1000000},          {"down", p->down, 1, 1000000},
      {"half", p->half, 0, HALF_LIMIT},       {"fault", p->fault, 0, TIME_LIMIT}, {"search", p->search, 0, TIME_LIMIT},
      {"produce", p->produce, 0, RATE_LIMIT}, {"input", p->input, 0, RATE_LIMIT}, {"B", p->B, 1, BYTES_LIMIT},
      {"R", p->R, 0, BLOCKS_LIMIT},           {"cell", p->cell, 1, 1 << 20},      {"s", p->s, 1, BYTES_LIMIT},
      {"m", p->m, 1, BLOCKS_LIMIT},           {"p", p->p, 1, REPEATS_LIMIT},      {"T", p->T, 1, REPEATS_LIMIT},
  };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (ranges[i].value < ranges[i].low || ranges[i].value > ranges[i].high)
      return arena_printf(arena, "%s must be between %lld and %lld", ranges[i].name, (long long)ranges[i].low,
                          (long long)ranges[i].high);
  int64_t blocks = (p->s - 1) / p->B + 1, repeats = p->p > 3 * p->T ? p->p : 3 * p->T;
  if (blocks > BLOCKS_LIMIT)
    return arena_printf(arena, "s / B must be at most %d: the object has too many blocks", BLOCKS_LIMIT);
  if (blocks * repeats > WORK_LIMIT)
    return arena_printf(arena, "s / B times p or T is too large: more than %d transfers", WORK_LIMIT);
  return NULL;
}
