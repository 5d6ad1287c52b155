/* SPDX-License-Identifier: MIT */
/* Limits on the simulations of a view: a time, and an interrupt. */
#ifndef LITSCOPE_HWSEM_TIMING_SIMULATION_LIMIT_H
#define LITSCOPE_HWSEM_TIMING_SIMULATION_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/base/limit.h"

/* Most operations of one simulation: more are refused, as they would not fit in memory. */
enum { COST_OPERATIONS = 10000000 };

struct cost_limit {
  double deadline;          /* of the monotonic clock; 0: none */
  const atomic_int *cancel; /* NULL: none */
  bool met;                 /* what was computed since is not to be shown */
  uint32_t ticks;
};

enum { COST_LOOK = 4096 }; /* a power of two */

/* For the loops of simulations: is it time to stop?  Reading the clock costs more than a step of
 * a simulation: it is read once in COST_LOOK steps. */
static inline bool cost_limit_look(struct cost_limit *limit) {
  limit->met = is_cancelled(limit->cancel) || deadline_passed(limit->deadline);
  return limit->met;
}

static inline bool cost_limit_met(struct cost_limit *limit) {
  return limit->met || (++limit->ticks % COST_LOOK == 0 && cost_limit_look(limit));
}

#endif
