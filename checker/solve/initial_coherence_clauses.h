/* SPDX-License-Identifier: MIT */
/* What the model says of few events of one location, told to the solver at the start.
 *
 * Coherence and atomicity, where a model has them: two to four accesses of one location,
 * with who reads from whom and which write comes before which, that fail an axiom whatever
 * else there is.  They are found by asking the model about each kind of such a handful once,
 * so that nothing is taken for granted of any model.
 */
#ifndef LITSCOPE_SOLVE_INITIAL_COHERENCE_CLAUSES_H
#define LITSCOPE_SOLVE_INITIAL_COHERENCE_CLAUSES_H

#include "checker/solve/closure_literals.h"

/* Adds the clauses.  `skip`: checks that are left out, or NULL. */
void initial_coherence_clauses_add(struct arena *arena, const struct formula *f, const struct plan *plan,
                                   const struct relation_bounds *bounds, struct closure_literals *names,
                                   const bool *skip);

#endif
