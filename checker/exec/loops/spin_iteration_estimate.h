/* SPDX-License-Identifier: MIT */
/* How often an await is likely to fail, with something new to see each time. */
#ifndef LITSCOPE_EXEC_LOOPS_SPIN_ITERATION_ESTIMATE_H
#define LITSCOPE_EXEC_LOOPS_SPIN_ITERATION_ESTIMATE_H

#include "checker/exec/loops/idle_iterations.h"

/* The round at the end of the path has failed: how many like it there may be in a
 * row.  Not a limit of the language but a guess at how far to follow, from the
 * writes that other threads' texts have and the conditions that a failed round
 * puts on values.  Where it is too low (since writers loop, say), some execution
 * that goes on is found to be consistent, and the test is said to be cut. */
unsigned spin_most_rounds(const struct program *program, unsigned thread, const struct path *path,
                          const struct iteration *round);

/* May the round fail when this read of the path sees the value, as far as conditions on it alone say? */
bool iteration_may_see(const struct path *path, const struct iteration *round, unsigned read, int64_t seen);

#endif
