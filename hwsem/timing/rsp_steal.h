/* SPDX-License-Identifier: MIT */
/* The work-stealing simulation of the timed GPU (Orr et al., ASPLOS 2015, section 5).
 *
 * One thread and one task queue per compute unit; an owner pops the tail of its
 * queue, a thief removes the head of another's.  Pops and steals are
 * fetch-and-increments whose kind depends on the scenario.
 *
 * Why it is no program on the GPU with caches (gpu_timed.h, workloads/deque.h): there a
 * queue is a word in memory and its tasks are words next to it, so that whoever takes one
 * loads it as well, a pop that finds nothing puts the tail back by a second operation, a
 * thief looks at a word which may be old, and what a flush costs follows from the lines
 * that were written.  Here an operation is all there is to a pop, thieves see how long
 * queues are, tasks are given by numbers of lines, and FIFOs by how many they hold: few
 * enough that a run can be followed by hand.
 */
#ifndef LITSCOPE_HWSEM_TIMING_RSP_STEAL_H
#define LITSCOPE_HWSEM_TIMING_RSP_STEAL_H

#include "hwsem/prices/rsp_prices.h"
#include "hwsem/timing/simulation_limit.h"

/* Each queue has `nT` tasks; those of queues 0 .. h-1 have weight `f` percent, the others 100. */
struct steal_workload {
  int64_t h, f, nT;
  int64_t C;  /* cycles of computation a task */
  int64_t W;  /* lines re-used from task to task */
  int64_t S;  /* lines streamed a task */
  int64_t Dd; /* lines dirtied a task */
};

/* What pops and steals are: a sequence each, and whether there are steals. */
struct steal_scenario {
  struct rsp_sequence pop, steal;
  bool steals;
};

struct steal_result {
  int64_t time;    /* the latest finish */
  int64_t fetches; /* lines that tasks fetched into an L1 */
  int64_t steals, fails;
  int64_t events;       /* turns of compute units */
  int64_t steal_cycles; /* spent in successful and failed steals, with the wait for the lock */
};

/* Once the limit is met, nothing in the result counts. */
struct steal_result steal_simulate(struct arena *arena, const struct rsp_parameters *parameters,
                                   const struct steal_workload *workload, const struct steal_scenario *scenario,
                                   struct cost_limit *limit);

#endif
