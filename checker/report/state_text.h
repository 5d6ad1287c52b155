/* SPDX-License-Identifier: MIT */
/* Final states as text, in one form whoever printed them.
 *
 * herd7 writes `0:X1=0x1; [x]=2; x[1]=3; Fault(P0,x);`, the 2015 herd `x=2;`
 * without brackets, litmus7 how often it saw the state before it.
 */
#ifndef LITSCOPE_REPORT_STATE_TEXT_H
#define LITSCOPE_REPORT_STATE_TEXT_H

#include <stdbool.h>

#include "checker/base/arena.h"

/* The state that a line of a log says, in the arena: parts sorted, without
 * spaces, brackets and the `P` of a thread, numbers decimal (those of up to 32
 * bits that are written in hexadecimal are signed, as mcompare7 takes them),
 * absent faults and counts left out.  NULL: the line is no state.  A blank line
 * is the state of a test that observes nothing. */
const char *state_normalise(struct arena *arena, const char *text, size_t length);

/* A set of states: sorted, each once.  Returns the new count. */
size_t state_sort(const char **states, size_t count);

/* What the states give values to, as `x; 0:r0;`, sorted; NULL where they do
 * not all agree on that, or there is none. */
const char *state_observed(struct arena *arena, const char *const *states, size_t count);

/* The parts of `state` whose names are in `observed`, and its faults. */
const char *state_project(struct arena *arena, const char *state, const char *observed);

#endif
