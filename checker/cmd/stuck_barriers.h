/* SPDX-License-Identifier: MIT */
/* Barriers of a kernel at which a work-item waits for ever, as others do not come to them.  Such executions count for
 * nothing, so that a verdict would not tell of them. */
#ifndef LITSCOPE_CMD_STUCK_BARRIERS_H
#define LITSCOPE_CMD_STUCK_BARRIERS_H

#include "checker/litmus/litmus.h"

/* Warns of the nearest one that is found while threads take turns on one memory, as far as that is soon done.  False:
 * none was found. */
bool stuck_barriers_warn(struct arena *arena, const struct litmus_test *test, struct diags *diags);

#endif
