/* SPDX-License-Identifier: MIT */
/* Control barriers with a quorum (exec/search/barrier_choice.h): where more of them can meet than it asks for, which
 * synchronise is a choice. */
#ifndef LITSCOPE_SOLVE_QUORUM_BARRIERS_H
#define LITSCOPE_SOLVE_QUORUM_BARRIERS_H

#include "checker/solve/closure_literals.h"
#include "checker/solve/formula.h"

/* Gives the barriers that may stay away a literal each that says that they do not. */
void quorum_barriers_add(struct formula *f);

/* How many of the barrier's group, in the solver's answer, synchronise.  Adds what keeps them from being more: the
 * barrier itself, others that are not there, and those that stay away. */
int64_t quorum_barriers_present(const struct formula *f, unsigned barrier, struct literals *out);

#endif
