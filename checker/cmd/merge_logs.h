/* SPDX-License-Identifier: MIT */
/* `compare -sum` and `compare -to-conds`: several logs as one, as herd's msum7 and mlog2cond7 make of theirs. */
#ifndef LITSCOPE_CMD_MERGE_LOGS_H
#define LITSCOPE_CMD_MERGE_LOGS_H

#include "checker/cmd/command.h"

/* The logs that are named as one log on standard output: of each test all
 * states that some log has. */
int sum_print_log(struct invocation *call);

/* Of each test of the logs a line `NAME "forall (...)"` for -conds: the states
 * that they show, and no other. */
int sum_print_conditions(struct invocation *call);

#endif
