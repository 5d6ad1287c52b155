/* SPDX-License-Identifier: MIT */
/* Axioms written out as clauses, once one of them has failed.
 *
 * Each pair of each derived relation that an axiom is made of gets a literal, defined one way:
 * it holds where the pair is derived, whatever the derivation.  Then the axiom cannot fail
 * again.  Models have many axioms, and few matter to a program: those that fail.  A pair that is
 * taken away or complemented gets a literal defined the other way: it holds only where the pair has a
 * derivation, except that closures and recursive definitions may go round in circles; an axiom that fails for that, or
 * would take too many clauses, is left to reasons (conflict_clauses.h), one failure at a time.
 */
#ifndef LITSCOPE_SOLVE_AXIOMS_H
#define LITSCOPE_SOLVE_AXIOMS_H

#include "checker/solve/closure_literals.h"

struct axioms;

/* None is written out yet.  Lives in `arena`, which is that of the formula. */
struct axioms *axioms_new(struct arena *arena, const struct known_relations *known);

/* Writes a check out, in about as many clauses at most.  False: it cannot be. */
bool axioms_write(struct axioms *axioms, const struct cat_check *check, double most);

/* Where `chosen` holds, (x, y) is to be in the node's value, or, of a set, x: says what must be derived then and what
 * must not, as far as that can be written out. */
void axioms_want(struct axioms *axioms, uint32_t node, unsigned x, unsigned y, int chosen);

#endif
