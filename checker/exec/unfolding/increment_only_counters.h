/* SPDX-License-Identifier: MIT */
/* Counters: locations to which a program does nothing but add positive constants, by read-modify-writes.
 *
 * Tickets, heads of work queues, arrivals at barriers.  No value of one is below the initial one; and where no two
 * read-modify-writes of the program read from one write, which the model is asked (rmw_exclusion.h), each returns
 * another value.  So a loop that goes on while its counter is below a bound ends, also where a model rules nothing out
 * of which read sees what, and an element of an array that the counter names is one of few.
 *
 * What follows for a read from the conditions on its thread's path is a range of values.  Nothing is
 * dropped of which the model has an execution.
 */
#ifndef LITSCOPE_EXEC_UNFOLDING_INCREMENT_ONLY_COUNTERS_H
#define LITSCOPE_EXEC_UNFOLDING_INCREMENT_ONLY_COUNTERS_H

#include "checker/exec/paths/expression_range.h"
#include "checker/exec/unfolding/rmw_exclusion.h"

struct counters;

/* Of a test's program; in `arena`.  `events`: the most that a thread has.  NULL: there are none. */
struct counters *counters_new(struct arena *arena, const struct program *program, unsigned events,
                              struct rmw_exclusion *exclusion);

/* What the structure's events may have as values, by event, in `arena`; NULL: nothing is known of any.
 * *impossible: the conditions of its paths do not go together. */
const struct range *counters_find(struct counters *counters, struct arena *arena, const struct structure *structure,
                                  bool *impossible);

#endif
