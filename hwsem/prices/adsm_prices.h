/* SPDX-License-Identifier: MIT */
/* What the ADSM protocols cost: bytes moved, faults taken, time spent.
 *
 * The protocols' edges are those of machines/adsm.h.  A transfer of n bytes takes T(n) = latency + (n + half) / peak:
 * its bandwidth n / (T(n) - latency) grows with n towards `peak` and is half of
 * it at `half` bytes.  A fault costs a signal and a search in a balanced tree of
 * the blocks.  An eviction runs while the host goes on, which produces the next block
 * in g(B) and waits for max(0, T(B) - g(B)); transfers at calls and in faults are
 * paid in full.  Times are whole nanoseconds.
 *
 * Source: Gelado and others, ASPLOS 2010, sections 4.3 and 5.
 */
#ifndef LITSCOPE_HWSEM_PRICES_ADSM_PRICES_H
#define LITSCOPE_HWSEM_PRICES_ADSM_PRICES_H

#include "checker/base/arena.h"
#include "hwsem/explore.h"
#include "hwsem/machines/adsm.h"

/* Parameters, by the names of the machine description (mappings/timing-adsm.xml). */
struct adsm_parameters {
  int64_t latency;  /* ns a transfer */
  int64_t up, down; /* peak bandwidth, MB/s (bytes a microsecond) */
  int64_t half;     /* bytes at which half of the peak is reached */
  int64_t fault;    /* ns: signal and protection change */
  int64_t search;   /* ns a level of the tree */
  int64_t produce;  /* ns to write 1024 bytes */
  int64_t input;    /* ns to read 1024 bytes from a file */
  int64_t B;        /* rolling: bytes a block */
  int64_t R;        /* rolling: most dirty blocks; 0: 2 for each object */
  int64_t cell;     /* bytes of a litmus test's cell */
  int64_t s;        /* bytes of an object */
  int64_t m;        /* sparse patterns: blocks touched */
  int64_t p;        /* multi-pass pattern: passes */
  int64_t T;        /* calls of the constant input, steps of the stencil */
  int64_t kernel;   /* ns a call's kernel takes, next to copies by hand */
  int64_t annotate; /* kernels say which objects they write: others stay with the host */
};

struct adsm_cost {
  int64_t up, down; /* bytes */
  int64_t faults;
  /* ns, in parts: page faults; uploads that the host waits for (at calls, and
   * stalls of evictions); downloads; production of data. */
  int64_t fault_time, up_time, down_time, host_time;
  int64_t events; /* of a pattern (timing/adsm_patterns.h): edges that units went along */
};

int64_t adsm_cost_time(const struct adsm_cost *cost);

/* T(n), up or down. */
int64_t adsm_transfer_time(const struct adsm_parameters *p, bool up, int64_t bytes);

/* g(n): how long the host takes to produce n bytes. */
int64_t adsm_produce_time(const struct adsm_parameters *p, int64_t bytes);

/* What a fault costs when there are so many blocks. */
int64_t adsm_fault_time(const struct adsm_parameters *p, int64_t blocks);

/* Adds what an edge costs.  `hidden`: the time in which the host produces the next block, while an eviction
 * runs. */
void adsm_pay(struct adsm_cost *cost, const struct adsm_parameters *p, struct adsm_edge edge, int64_t bytes,
              int64_t blocks, int64_t hidden);

/* One way in which a program runs: what it shows, and what it costs. */
struct adsm_run {
  const int64_t *values; /* of the observables */
  struct adsm_cost cost;
};

struct adsm_runs {
  struct adsm_run *at; /* by values, then traffic */
  size_t count;
  const char *limit; /* why some may be missing; NULL: none is */
};

/* Explores what is requested, with an explorer of its own, on a machine, and prices a
 * shortest run for every combination of outcome and traffic; they live in the request's
 * arena.  On failure adds diagnostics and returns false. */
bool adsm_program_costs(const struct adsm_parameters *p, const struct explore_request *request,
                        const struct adsm_machine_options *machine, struct adsm_runs *runs, struct diags *diags);

/* NULL when the parameters make sense, else what is wrong with them, in
 * `arena`: "B must be at least 1". */
const char *adsm_parameters_check(struct arena *arena, const struct adsm_parameters *p);

#endif
