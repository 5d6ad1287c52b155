/* SPDX-License-Identifier: MIT */
/* When work is to end before it is done: at a time, or for an interrupt. */
#ifndef LITSCOPE_BASE_LIMIT_H
#define LITSCOPE_BASE_LIMIT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "checker/base/clock.h"

/* The time of the monotonic clock so many seconds from now.  0: never, and then the deadline is 0, too. */
static inline double deadline_in(double seconds) {
  return seconds > 0 ? monotonic_seconds() + seconds : 0;
}

static inline bool deadline_passed(double deadline) {
  return deadline > 0 && monotonic_seconds() > deadline;
}

/* NULL: nobody cancels. */
static inline bool is_cancelled(const atomic_int *cancel) {
  return cancel && *cancel;
}

#endif
