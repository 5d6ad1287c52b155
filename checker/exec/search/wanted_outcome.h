/* SPDX-License-Identifier: MIT */
/* Looking for one kind of outcome only (-speedcheck): the proposition prunes.
 *
 * What decides a test's answer is an execution that meets its condition
 * (exists, ~exists), or one that does not (forall).  Where only the answer is
 * asked for, a partial candidate on which that can no longer happen is dropped,
 * and reads whose value the proposition fixes are held to it from the start.
 */
#ifndef LITSCOPE_EXEC_SEARCH_WANTED_OUTCOME_H
#define LITSCOPE_EXEC_SEARCH_WANTED_OUTCOME_H

#include "checker/exec/paths/event_structure.h"
#include "checker/litmus/litmus.h"

/* Adds to the structure's conditions those that every outcome looked for meets:
 * comparisons of registers that stand alone in a conjunction. */
void wanted_outcome_add_conditions(struct arena *arena, const struct litmus_test *test, struct structure *structure);

/* What is known of final values in a partial candidate. */
struct wanted_outcome_view {
  const struct structure *structure;
  const bool *known;    /* by event */
  const int64_t *value; /* by event */
  const word *co_lo;    /* decided part of co */
};

/* Can an outcome looked for still be reached? */
bool wanted_outcome_possible(const struct litmus_test *test, const struct wanted_outcome_view *view);

#endif
