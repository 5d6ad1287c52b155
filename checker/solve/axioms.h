/* SPDX-License-Identifier: MIT */
/* Axioms written out as clauses, once one of them has failed.
 *
 * Each pair of each derived relation that an axiom is made of gets a literal, defined one way:
 * it holds where the pair is derived, whatever the derivation.  Then the axiom cannot fail
 * again.  Models have many axioms, and few matter to a program: those that fail.  What is
 * taken away or complemented must be decided by two events alone; an axiom that goes further,
 * or would take too many clauses, is left to reasons (reason.h), one failure at a time.
 */
#ifndef LITSCOPE_SOLVE_AXIOMS_H
#define LITSCOPE_SOLVE_AXIOMS_H

#include "checker/solve/names.h"

struct axioms;

/* None is written out yet.  Lives in `arena`, which is that of the formula. */
struct axioms *axioms_new(struct arena *arena, const struct formula *f, const struct plan *plan,
                          const struct certainty *certainty, struct names *names);

/* Writes a check out.  False: it cannot be. */
bool axioms_write(struct axioms *axioms, const struct cat_check *check);

/* Where `chosen` holds, (x, y) is to be in the node's value, or, of a set, x: says what must not be derived then, as
 * far as that can be written out. */
void axioms_want(struct axioms *axioms, uint32_t node, unsigned x, unsigned y, int chosen);

#endif
