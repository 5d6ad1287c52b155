/* SPDX-License-Identifier: MIT */
/* Limits by the monotonic clock, and by an interrupt. */
#include "hwsem/timing/simulation_limit.h"

#include "checker/base/clock.h"

struct cost_limit cost_limit_new(double seconds, const atomic_int *cancel) {
  return (struct cost_limit){.deadline = seconds > 0 ? monotonic_seconds() + seconds : 0, .cancel = cancel};
}

bool cost_limit_look(struct cost_limit *limit) {
  limit->met = (limit->cancel && *limit->cancel) || (limit->deadline > 0 && monotonic_seconds() > limit->deadline);
  return limit->met;
}
