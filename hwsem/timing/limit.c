/* Reading the clock costs more than a step of a simulation, so it is read once
 * in TICKS_A_LOOK steps. */
#include "timing/limit.h"

#include <time.h>

enum { TICKS_A_LOOK = 4096 };

static double monotonic_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct cost_limit cost_limit_new(double seconds, const volatile int *cancel) {
  return (struct cost_limit){.deadline = seconds > 0 ? monotonic_now() + seconds : 0, .cancel = cancel};
}

bool cost_limit_met(struct cost_limit *limit) {
  if (limit->met || ++limit->ticks % TICKS_A_LOOK) return limit->met;
  limit->met = (limit->cancel && *limit->cancel) || (limit->deadline > 0 && monotonic_now() > limit->deadline);
  return limit->met;
}
