/* SPDX-License-Identifier: MIT */
/* The clock that time limits and progress are measured by. */
#ifndef LITSCOPE_BASE_CLOCK_H
#define LITSCOPE_BASE_CLOCK_H

/* Seconds of the monotonic clock, from some point in the past. */
double monotonic_seconds(void);

/* Waits, at most a millisecond, and longer each time that nothing happened:
 * `*idle`, 0 at first and after something has. */
void monotonic_back_off(unsigned *idle);

#endif
