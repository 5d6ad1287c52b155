/* SPDX-License-Identifier: MIT */
/* Reading the clock costs more than a step of a simulation, so it is read once
 * in TICKS_A_LOOK steps. */
#include "hwsem/timing/limit.h"

#include "checker/base/clock.h"

enum { TICKS_A_LOOK = 4096 };

struct cost_limit cost_limit_new(double seconds, const volatile int *cancel) {
  return (struct cost_limit){.deadline = seconds > 0 ? monotonic_seconds() + seconds : 0, .cancel = cancel};
}

bool cost_limit_met(struct cost_limit *limit) {
  if (limit->met || ++limit->ticks % TICKS_A_LOOK) return limit->met;
  limit->met = (limit->cancel && *limit->cancel) || (limit->deadline > 0 && monotonic_seconds() > limit->deadline);
  return limit->met;
}
