/* SPDX-License-Identifier: MIT */
/* What edges of the protocols cost; see adsm_prices.h. A test's runs are priced along a shortest run for each outcome.
 */
#include "hwsem/prices/adsm_prices.h"

#include <stdlib.h>

#include "checker/base/array.h"
#include "checker/program/outcome.h"
#include "checker/program/program.h"

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

void adsm_pay(struct adsm_cost *cost, const struct adsm_parameters *p, struct adsm_edge edge, int64_t bytes,
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
  adsm_pay(&pricing->cost, pricing->p, edge, bytes, pricing->blocks, hidden);
}

/* A pointer's address on the accelerator is looked up in the tree of blocks. */
static int64_t translation_time(const struct pricing *pricing, const struct program *program, struct step step) {
  const struct instr *instr = adsm_step_instr(program, step);
  return instr ? instr->translated * pricing->p->search * levels(pricing->blocks) : 0;
}

static struct adsm_cost price_run(struct arena *arena, const struct adsm_parameters *p, struct explorer *explorer,
                                  const struct program *program, const struct machine *machine, uint32_t state) {
  struct pricing pricing = {.p = p, .blocks = adsm_machine_units(machine)};
  struct adsm_visitor visitor = {price_edge, &pricing};
  struct explore_step *trace;
  size_t length = explore_trace(explorer, state, arena, &trace);
  for (size_t i = 0; i < length; i++) {
    adsm_visit_step(machine, trace[i].step, trace[i].before, &visitor);
    pricing.cost.host_time += translation_time(&pricing, program, trace[i].step);
  }
  return pricing.cost;
}

static int by_values(const void *a, const void *b, void *width) {
  return outcome_compare(((const struct adsm_run *)a)->values, ((const struct adsm_run *)b)->values,
                         *(const unsigned *)width);
}

bool adsm_program_costs(const struct adsm_parameters *p, const struct explore_request *request,
                        const struct adsm_machine_options *options, struct adsm_runs *runs, struct diags *diags) {
  struct adsm_machine_options counting = *options;
  counting.count = true;
  struct arena *arena = request->arena;
  const struct machine *machine =
      adsm_machine_new(arena, request->program, request->observables, request->observable_count, &counting, diags);
  if (!machine) return false;
  struct explorer *explorer = explorer_new();
  struct exploration found;
  explore(explorer, machine, request->options, &found);
  *runs = (struct adsm_runs){ARENA_ARRAY(arena, struct adsm_run, found.outcome_count + 1), found.outcome_count,
                             explore_end_text(found.end)};
  unsigned width = machine->observable_count;
  for (size_t i = 0; i < found.outcome_count; i++) {
    int64_t *values = ARENA_COPY(arena, int64_t, found.outcomes[i].values, width);
    runs->at[i] =
        (struct adsm_run){values, price_run(arena, p, explorer, request->program, machine, found.outcomes[i].state)};
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
  for (size_t i = 0; i < ARRAY_COUNT(ranges); i++)
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
