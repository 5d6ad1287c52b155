/* SPDX-License-Identifier: MIT */
/* `run -tune`: which knobs show most weak outcomes a second? */
#ifndef LITSCOPE_CMD_RUN_TUNE_H
#define LITSCOPE_CMD_RUN_TUNE_H

#include "checker/cmd/device_runs.h"

struct tuning;

/* Reads -tune and what weak outcomes are told by: the model sc.  NULL, with
 * errors, where that cannot be read. */
struct tuning *tuning_new(struct invocation *call, struct diags *diags);

/* Tries the candidates on one test, each for an equal share of -tune's time. */
void tuning_test(struct tuning *tuning, const struct device_setup *setup, const struct device_test *made,
                 unsigned workers, struct test_output *output);

/* Prints the candidates by what they showed, and writes the best to tuned.params
 * in `folder` (NULL: the working folder).  Returns the exit status. */
int tuning_end(struct tuning *tuning, const char *folder);

#endif
