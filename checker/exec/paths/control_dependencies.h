/* SPDX-License-Identifier: MIT */
/* Control dependencies that end: in languages with `if` and `while`, what a condition
 * decides is what lies in the arms, or in the body and its later rounds, and nothing
 * after (litmus/README.md, "Dependencies").
 *
 * A condition's own instructions are those from instr->condition - 1 to the branch.
 * Its arms meet at the branch's immediate postdominator, the first instruction that
 * every way from there to the thread's end passes; with `break`, `continue` and
 * `return`, what they skip is so in the other arm.
 */
#ifndef LITSCOPE_EXEC_PATHS_CONTROL_DEPENDENCIES_H
#define LITSCOPE_EXEC_PATHS_CONTROL_DEPENDENCIES_H

#include "checker/exec/paths/thread_state.h"

/* Arms that a thread is in. */
struct arms {
  unsigned join;                     /* instruction at which they meet */
  const struct reads *ctrl, *hidden; /* the thread's, outside */
  const struct arms *outer;
};

/* The state begins at the thread's start; it is about to do its next instruction,
 * before which it leaves arms that meet there. */
void arms_start(const struct runner *r, struct thread_state *s);
void arms_step(struct thread_state *s);

/* At a branch with arms, which it enters. */
void arms_enter(const struct runner *r, struct thread_state *s, const struct instr *branch);

/* What an expression's registers depend on by the conditions under which they were set. */
const struct reads *arms_hidden(const struct runner *r, const struct thread_state *s, const struct expr *e);

#endif
