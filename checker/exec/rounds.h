/* SPDX-License-Identifier: MIT */
/* Rounds of loops that change nothing: where a thread stood when it last began
 * with an instruction that some jump goes back to, and whether it has been brought
 * back there.  What a run that never ends leaves for a model to see
 * (stop.h, after Dat3M's liveness of spin loops).
 */
#ifndef LITSCOPE_EXEC_ROUNDS_H
#define LITSCOPE_EXEC_ROUNDS_H

#include "checker/exec/paths.h"

/* A thread at the head of a loop. */
struct round {
  unsigned first;                /* its next event */
  const struct expr **registers; /* their values then */
  const bool *live;              /* by register: may its value be used before it is set again? */
};

/* By instruction, for a thread that has not begun: NULL each. */
const struct round **rounds_new(struct arena *arena, const struct thread *thread);
const struct round **rounds_copy(struct arena *arena, const struct thread *thread, const struct round *const *rounds);

/* Notes that the thread, which has gone along `path`, is about to do instruction
 * `pc`, if a loop begins there. */
void rounds_note(struct arena *arena, const struct thread *thread, const struct round **rounds, unsigned pc,
                 const struct path *path);

/* Has the path, since the round began, written nothing and started nothing?  Where
 * live registers have other values by now, these must still be equal. */
bool round_is_idle(const struct round *round, const struct path *path);

#endif
