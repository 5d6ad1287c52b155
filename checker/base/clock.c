/* SPDX-License-Identifier: MIT */
/* Time that only goes forward, whatever happens to the calendar: what limits
 * and durations are measured by. */
#include "checker/base/clock.h"

#include <time.h>

double monotonic_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
