/* SPDX-License-Identifier: MIT */
/* What a model says of an execution when some of its events are taken away.
 *
 * Let E be an execution and E' what is left of it without some reads and fences: reads
 * that are no half of a read-modify-write, so that the writes and what the other
 * reads see stay as they are.  Every predefined relation of E' is that of E among the events
 * that are left.  What a node of the model's graph makes of them, against its value in E among
 * these events, follows from its operation:
 *  - it is the same, where each pair is there or not by its two events alone, or by way of events
 *    that are not taken away (writes, read-modify-writes, barriers): co ; rf;
 *  - it is less, where a path may lead through an event that is gone: sb ; rf, hb+, domain(po);
 *  - it is more, where such a thing is taken off: `conflict \ hb`;
 *  - nothing is known, where more and less come together.
 * An axiom holds of E' if it holds of E, where what it asks to be empty or without cycle
 * is no more.  A flag that is raised among events that are left stays so, where what it asks
 * about is no less.  Orders of events that a model chooses (`linearisations`) can be chosen for E'
 * as for E; other choices are not looked into.
 *
 * So a round of a loop that only reads, and leaves its thread as it was, can be left out of
 * every execution (spin_fold.h).
 */
#ifndef LITSCOPE_EXEC_LOOPS_CHECKS_SURVIVE_REMOVAL_H
#define LITSCOPE_EXEC_LOOPS_CHECKS_SURVIVE_REMOVAL_H

#include <stdio.h>

#include "checker/base/arena.h"
#include "checker/cat/cat.h"

enum removal { REMOVAL_SAME, REMOVAL_LESS, REMOVAL_MORE, REMOVAL_UNKNOWN };

/* Does the check hold, or the flag go up, where there is something rather than nothing?  Then the
 * events that are taken away must not be what there is. */
bool removal_asks_for_some(const struct cat_check *check);

/* Is each check's answer for E that for E', as told above: all checks of the model but those that `skip`
 * (by check; may be NULL) leaves out?  And those axioms that `broken`, if not NULL, is made to hold (by check, false
 * at first): E' may break them. */
bool removal_allowed(const struct cat_model *model, const bool *skip, bool *broken);

/* Writes the reason, a line for each check. */
void removal_print(const struct cat_model *model, FILE *out);

#endif
