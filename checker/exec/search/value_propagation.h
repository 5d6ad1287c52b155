/* SPDX-License-Identifier: MIT */
/* The values of a partial candidate: what reads return, and what control flow
 * and the model's condition demand of them. */
#ifndef LITSCOPE_EXEC_SEARCH_VALUE_PROPAGATION_H
#define LITSCOPE_EXEC_SEARCH_VALUE_PROPAGATION_H

#include "checker/exec/search/partial_candidate.h"
#include "checker/litmus/litmus.h"

/* Is the event's value a variable of its own: a read's, not a compare-and-swap's
 * that has succeeded? */
bool value_is_variable(const struct frames *all, unsigned event);

/* Draws all conclusions about values, sources and conditions from one another.
 * False when this candidate cannot be completed. */
bool values_settle(const struct frames *all, struct frame *f);

/* Where the program's values are free, is there a read whose value depends on
 * itself, so that nothing will fix it?  All reads must be decided. */
bool values_free(const struct frames *all, const struct frame *f, unsigned *read);

/* Is there an initial value that is not known (struct location's `any`), and that a read
 * returns or that stays and is observed?  All reads must be decided. */
bool values_unset(const struct frames *all, const struct frame *f, const struct litmus_test *test, unsigned *write);

/* Is anything that the test's answer may depend on computed from values that are not known yet, so that those that are
 * tried do not stand for all? */
bool values_sampled(const struct frames *all, const struct frame *f, const struct litmus_test *test);

/* Gives it a value; values_settle finds out whether it justifies itself. */
void values_guess(struct frame *f, unsigned read, int64_t value);

/* The values to try for such a read, in place of all: those that the test's
 * condition and filter tell apart, and one other.  Where initial values are not
 * known also those by which control flows as it does here, their neighbours, 0, and a
 * second other one.  Returns their number. */
unsigned values_to_guess(struct arena *arena, const struct litmus_test *test, const struct structure *structure,
                         const int64_t **values);

#endif
