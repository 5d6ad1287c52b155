/* SPDX-License-Identifier: MIT */
/* A verdict without enumeration (-engine solve).
 *
 * The program is a propositional formula (formula.h), whose solutions are its candidates; a
 * solver looks for one.  The model's checks are evaluated on it (exec/evaluate_model_on_execution.h); where one
 * fails, what the failure stands on (conflict_clauses.h) becomes a clause, so that no candidate that
 * fails in the same way comes again, until one passes or there is none.
 *
 * In place of enumerate(), for questions that one execution answers.
 */
#ifndef LITSCOPE_SOLVE_SOLVE_H
#define LITSCOPE_SOLVE_SOLVE_H

#include "checker/exec/enumerate.h"

/* Why it cannot be asked about this test and model; NULL: it can.  `stops`: about executions that do not end, as
 * enumerate_options.stops has it. */
const char *solve_refusal(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                          bool stops);

/* May values depend on themselves: does the language let them, and the model without the checks of `skip` (NULL: none)?
 */
bool solve_thin_air(const struct litmus_test *test, const struct cat_model *model, const bool *skip);

/* Is it a flag that is raised where there is some pair, so that options->raised may ask for it? */
static inline bool solve_finds_raised(const struct cat_check *check) {
  return check->role != ROLE_REQUIRE && check->negated == (check->role == ROLE_FLAG) && check->kind != CHECK_ACYCLIC;
}

/* As enumerate(): tells the sink of executions until it returns false, each once.  With
 * options->stop_when_known only of those that settle the question, and then of those that show another state
 * (options->most_states), whatever the sink returns.  `stats->visited`: the
 * solutions looked at; `structures` is not counted.  END_EVENTS: a thread has more events
 * than the limit allows, or the paths are too many for a formula. */
enum enumerate_end solve(const struct litmus_test *test, const struct cat_model *model,
                         const struct enumerate_options *options, const struct enumerate_sink *sink,
                         struct enumerate_stats *stats);

#endif
