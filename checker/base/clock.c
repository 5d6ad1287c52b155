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

void monotonic_back_off(unsigned *idle) {
  static const long LEAST = 20000, MOST = 1000000; /* nanoseconds */
  long wait = LEAST << (*idle < 6 ? *idle : 6);
  nanosleep(&(struct timespec){.tv_nsec = wait < MOST ? wait : MOST}, NULL);
  ++*idle;
}
