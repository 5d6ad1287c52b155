/* SPDX-License-Identifier: MIT */
/* Stopping: by the user, or because time is over. */
#ifndef LITSCOPE_CMD_INTERRUPTS_H
#define LITSCOPE_CMD_INTERRUPTS_H

#include <stdatomic.h>

#include "checker/cmd/command.h"

/* Begins to watch for SIGINT and SIGTERM; what is pointed at becomes 1 then; a
 * second signal half a second after the first ends the program.  For commands
 * that work without tests; tests_run does it itself. */
const atomic_int *tests_watch_interrupt(void);

/* The same, and what is pointed at becomes 1 when -timeout, counted from now,
 * is over: for sweeps, which it limits as a whole. */
const atomic_int *tests_watch_limits(const struct invocation *call);

/* What this thread reads from here on is abandoned, as for lack of memory (out_of_memory_guard.h),
 * when it takes longer than -timeout, or when `cancel` says so (NULL: never); until
 * guard_end_patience. */
void tests_limit_reading(const struct invocation *call, const atomic_int *cancel);

/* The same as a signal; and has one come, or is time over? */
void tests_interrupt(void);
bool tests_interrupted(void);

/* Why work was stopped: "interrupted" or "time limit met". */
const char *tests_stop_reason(void);

#endif
