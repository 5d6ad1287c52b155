/* SPDX-License-Identifier: MIT */
/* Iterations of loops that change nothing: where a thread stood when it last began
 * with an instruction that some jump goes back to, and whether it has been brought
 * back there.  What a run that never ends leaves for a model to see
 * (verdict/nontermination.h, after Dat3M's liveness of spin loops), and what need not be done more
 * often than it shows something new (spin_leave_out_repeated.h).
 */
#ifndef LITSCOPE_EXEC_LOOPS_IDLE_ITERATIONS_H
#define LITSCOPE_EXEC_LOOPS_IDLE_ITERATIONS_H

#include "checker/exec/paths/paths.h"
#include "checker/exec/paths/read_set.h"

/* A thread at the head of a loop. */
struct iteration {
  unsigned first;                    /* its next event */
  unsigned conditions;               /* those of the path then */
  const struct expr **registers;     /* their values then */
  const struct reads **dependencies; /* and what these depended on */
  const bool *live;                  /* by register: may its value be used before it is set again? */
  bool failed;                       /* it has ended, as a failed one: the next begins where it began */
  bool follows;                      /* it follows a failed one, whose first event is `before` */
  unsigned before;
};

/* Where an iteration of the loop begins that the jump at `from` closes: at its target, or,
 * where a condition to leave the loop stands there, after that. */
unsigned iterations_start(const struct thread *thread, unsigned target, unsigned from);

/* By register: has it a name, so that somebody may look at it in the end? */
const bool *iterations_named(struct arena *arena, const struct thread *thread);

/* Where a thread is: what it has done, and by register what its value depends on. */
struct thread_place {
  unsigned pc;
  const struct path *path;
  const struct reads *const *dependencies;
};

/* An iteration that begins where the path is. */
const struct iteration *iteration_begin(struct arena *arena, const struct thread *thread, const bool *live,
                                        const struct path *path, const struct reads *const *dependencies);

/* Are live registers as they were, whatever the path has read, with the same dependencies on what was read before the
 * iteration?  Those on its own reads go with these. */
bool iteration_keeps_registers(const struct iteration *iteration, const struct thread *thread, const struct path *path,
                               const struct reads *const *dependencies);

/* By instruction, for a thread that has not begun: NULL each. */
const struct iteration **iterations_new(struct arena *arena, const struct thread *thread);
const struct iteration **iterations_copy(struct arena *arena, const struct thread *thread,
                                         const struct iteration *const *iterations);

/* Notes that the thread is about to do an instruction, if a loop begins there.  `ends`: once the thread has
 * ended, somebody looks at its registers that have names. */
void iterations_note(struct arena *arena, const struct thread *thread, const struct iteration **iterations,
                     struct thread_place at, bool ends);

/* Notes that a jump forwards passes the instructions `from` up to `to`: loops there have
 * been left, or not begun, and the next time round is their first. */
void iterations_leave(const struct iteration **iterations, unsigned from, unsigned to);

/* Has the path, since the iteration began, written nothing and started nothing?  Where
 * live registers have other values by now, these must still be equal. */
bool iteration_is_idle(const struct iteration *iteration, const struct path *path);

/* May the path, since the iteration began, be a failed iteration of an await (spin_leave_out_repeated.h)?
 * Then live registers are as they were; what read-modify-writes store is for those to
 * ask who know what is read. */
bool iteration_may_fail(const struct iteration *iteration, const struct thread *thread, const struct path *path,
                        const struct reads *const *dependencies);

/* Notes that the iteration that began at `pc` has ended as a failed one.  Where it
 * does the same as the one before it, `*repeat` says so, and true is returned. */
bool iterations_fail(struct arena *arena, const struct iteration **iterations, unsigned pc, const struct path *path,
                     struct repeat *repeat);

#endif
