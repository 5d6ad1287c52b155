/* SPDX-License-Identifier: MIT */
/* The values of a partial candidate: what reads return, and what control flow
 * and the model's condition demand of them. */
#ifndef LITSCOPE_EXEC_VALUES_H
#define LITSCOPE_EXEC_VALUES_H

#include "checker/exec/frame.h"

/* Is the event's value a variable of its own: a read's, not a compare-and-swap's
 * that has succeeded? */
bool value_is_variable(const struct frames *all, unsigned event);

/* Draws all conclusions about values, sources and conditions from one another.
 * False when this candidate cannot be completed. */
bool values_settle(const struct frames *all, struct frame *f);

#endif
