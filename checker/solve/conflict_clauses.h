/* SPDX-License-Identifier: MIT */
/* Why the model rejects a candidate, as clauses that rule it out together with all others
 * that fail for the same reason.
 *
 * A reason is a set of literals that hold in the candidate, such that a pair is in a node's
 * value (or is not) in every candidate in which they hold: who reads from whom, which write
 * comes before which, and which events are there at all.  A pair is derived as for -why
 * (explain/explain_failed_check.h), but nothing is skipped: where an explanation tells what leads
 * somewhere, a reason has everything that it stands on.  Of several derivations the one with
 * the fewest literals is taken.  That a pair is not there may rest on everything that the
 * relation is made of; then the reason has all of that: it is weaker, but holds.
 */
#ifndef LITSCOPE_SOLVE_CONFLICT_CLAUSES_H
#define LITSCOPE_SOLVE_CONFLICT_CLAUSES_H

#include "checker/exec/evaluate_model_on_execution.h"
#include "checker/solve/candidate.h"
#include "checker/solve/closure_literals.h"

struct reasoner;

/* For one candidate, with the model's value on it; where derived relations have no names reasons are spelt out.
 * Lives in `arena`. */
struct reasoner *reasoner_new(struct arena *arena, const struct known_relations *known,
                              const struct candidate_events *candidate, const struct valuation *valuation);

/* Adds why (a, b) is not in a node's value, or, of a set, why `a` is not. */
void reason_out(struct reasoner *r, uint32_t node, unsigned a, unsigned b, struct literals *out);

/* A check that fails: calls `each` for every reason that is found, at most `most`. */
void reason_check(struct reasoner *r, const struct cat_check *check, unsigned most,
                  void (*each)(void *context, const struct literals *literals), void *context);

#endif
